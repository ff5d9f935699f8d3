import { expect, test } from "bun:test";
import { isPublic, publicAddress } from "../../../src/tools/web/public-address.ts";

test("addresses of this machine, of private networks and of special ranges are not public", () => {
  const hidden = [
    ..."0.0.0.0 10.1.2.3 100.64.0.1 127.0.0.1 169.254.169.254 172.16.0.1 192.168.1.1 192.0.2.1".split(" "),
    ..."198.18.0.1 198.51.100.1 203.0.113.9 224.0.0.1 255.255.255.255".split(" "),
    ..."::1 :: fe80::1 fc00::1 ff02::1 ::ffff:127.0.0.1 64:ff9b::7f00:1 2002:7f00:1:: 2001:db8::1 2001::1".split(
      " ",
    ),
  ];
  expect(hidden.filter(isPublic)).toEqual([]);
});

test("ordinary addresses are public", () => {
  const open = "1.1.1.1 8.8.8.8 100.63.0.1 172.15.0.1 172.32.0.1 192.169.0.1 2606:4700::1111 2a00::1".split(
    " ",
  );
  expect(open.filter((address) => !isPublic(address))).toEqual([]);
});

test("a host that is this machine under another name is not visited", async () => {
  expect(await publicAddress("localhost")).toBeUndefined();
  expect(await publicAddress("[::1]")).toBeUndefined();
  expect(await publicAddress("8.8.8.8")).toBe("8.8.8.8");
});
