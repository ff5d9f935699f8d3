import { CfWorkerJsonSchemaValidator } from "@modelcontextprotocol/client/validators/cf-worker";

/** What a build has in place of the validator in the MCP packages' `ajvProvider`, under the name that they import. */
export const n = CfWorkerJsonSchemaValidator;
