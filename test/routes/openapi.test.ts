/** The document says what is true of the requests: required parts, bounds, headers. */
import { beforeAll, describe, it } from "vitest";
import { must } from "../support/api.ts";

// biome-ignore lint/suspicious/noExplicitAny: the document is read as whoever reads it would
let document: any;
beforeAll(async () => {
  document = (await must("/openapi.json")).json;
});

describe("the OpenAPI document", () => {
  it("declares If-Match where it is demanded, and the ETag that it comes from", ({ expect }) => {
    for (const path of ["/v1/oath", "/v1/agents/{agent_id}/oath"]) {
      const { put, get } = document.paths[path];
      const header = put.parameters.find((one: { in: string }) => one.in === "header");
      expect(header, path).toMatchObject({ name: "If-Match", required: true, schema: { type: "string" } });
      expect(put.responses["428"]["x-codes"]).toEqual(["precondition-required"]);
      for (const method of [put, get]) expect(method.responses["200"].headers, path).toHaveProperty("ETag");
    }
  });

  it("bounds every id that a harness chooses, and says how it is counted", ({ expect }) => {
    const { components, paths } = document;
    const ids = [
      paths["/v1/sessions/{session_id}"].put.parameters[0].schema,
      components.schemas.DecisionRequest.properties.call_id,
      components.schemas.OpenSession.properties.continues,
    ];
    for (const id of ids) expect(id).toMatchObject({ type: "string", minLength: 1, maxLength: 400 });
    const parameter = paths["/v1/sessions/{session_id}"].put.parameters[0];
    const description = parameter.description ?? parameter.schema.description;
    expect(description).toContain("200 characters, counted in code points");
    expect(description).toContain("`.` and `..`");
  });

  it("demands the parts that a decision stands on", ({ expect }) => {
    expect(document.components.schemas.DecisionRequest.required).toEqual(["call_id", "tool", "args"]);
  });

  it("lists publish-pending on every operation that waits for a change to be in force", ({ expect }) => {
    const governing = [
      "createOrganization",
      "createSignInLink",
      "changeSettings",
      "changeToolTable",
      "changeCompiler",
      "addMember",
      "changeMember",
      "removeMember",
      "createAgent",
      "changeAgentSettings",
      "revokeKey",
      "swearOath",
      "swearAgentOath",
      "addPasskey",
      "removePasskey",
      "resetMemberPasskeys",
      "removeChannel",
      "removeMemberPasskey",
      "makeAnchor",
      "makeCheckpoint",
      "rotateSigningKey",
    ];
    const listed: string[] = [];
    for (const item of Object.values<Record<string, { operationId: string; responses: object }>>(
      document.paths,
    ))
      for (const { operationId, responses } of Object.values(item))
        if (JSON.stringify(responses).includes('"publish-pending"')) listed.push(operationId);
    // The schema of a problem names every code; what is listed is what stands in `x-codes`.
    expect(listed.sort()).toEqual(governing.sort());
  });
});
