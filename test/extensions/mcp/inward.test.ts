import { expect, test } from "bun:test";
import { whyNotFrom } from "../../../src/extensions/mcp/inward.ts";

const OPEN = "https://mcp.example.com/mcp";
const INSIDE = "which lies inside your own machine or network while the server does not";

test.each([
  ["https://login.example.org/token"],
  ["https://mcp.example.com:8443/authorize"],
  ["https://8.8.8.8/"],
])("a server in the open may name others in the open: %s", (target) => {
  expect(whyNotFrom(OPEN, target)).toBeUndefined();
});

test.each([
  ["https://127.0.0.1/", "127.0.0.1"],
  ["https://0x7f000001:8080/", "127.0.0.1:8080"],
  ["https://[::1]/", "[::1]"],
  ["https://[::ffff:127.0.0.1]/", "[::ffff:7f00:1]"],
  ["https://localhost./", "localhost."],
  ["https://api.localhost/", "api.localhost"],
  ["http://169.254.169.254/latest", "169.254.169.254"],
  ["https://[fe80::1]/", "[fe80::1]"],
  ["https://10.1.2.3/", "10.1.2.3"],
  ["https://172.16.0.1/", "172.16.0.1"],
  ["https://192.168.0.1/", "192.168.0.1"],
  ["https://[fd00::1]/", "[fd00::1]"],
  ["https://router/", "router"],
  ["https://printer.local/", "printer.local"],
])("a server in the open must not reach inside: %s", (target, host) => {
  expect(whyNotFrom(OPEN, target)).toBe(`it sends us to ${host}, ${INSIDE}`);
});

test.each([
  ["file:///etc/passwd", "it names file:, which is not a web address"],
  ["javascript:alert(1)", "it names javascript:, which is not a web address"],
  ["//", "it names something that is not an address"],
  ["http://login.example.org/", "it sends us to login.example.org without encryption"],
])("no server may name what is not a web address, or lead out of encryption: %s", (target, why) => {
  expect(whyNotFrom(OPEN, target)).toBe(why);
});

test("a server on this machine may name others on it and everywhere, but not the machine's keepers", () => {
  const own = "http://127.0.0.1:3000/mcp";
  expect(
    ["http://localhost:9000/", "http://192.168.0.5/", "https://login.example.org/"].map((target) =>
      whyNotFrom(own, target),
    ),
  ).toEqual([undefined, undefined, undefined]);
  expect(whyNotFrom(own, "http://169.254.169.254/")).toBe(`it sends us to 169.254.169.254, ${INSIDE}`);
});

test("a server in this network may name others in it, but not this machine", () => {
  const near = "http://10.0.0.7/mcp";
  expect(whyNotFrom(near, "http://10.0.0.8/")).toBeUndefined();
  expect(whyNotFrom(near, "http://127.0.0.1/")).toBe(`it sends us to 127.0.0.1, ${INSIDE}`);
});
