/** The parts of an OpenAPI 3.1 document that the reference page reads. */
import type { Access } from "../../http/access.ts";

export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly pattern?: string;
}

export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema?: Schema;
}

export type Content = Readonly<Record<string, { readonly schema?: Schema }>>;

export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly description: string; readonly content?: Content }>>;
  readonly "x-access"?: Access;
  readonly "x-limit-bytes"?: number;
}

export interface Document {
  readonly info: { readonly description: string };
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  /** By the event's name. */
  readonly webhooks: Readonly<
    Record<string, { readonly post: { readonly requestBody: { readonly content: Content } } }>
  >;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

export interface Endpoint {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

/** In the order of somebody who begins: ask first, govern later. What is not named here comes last. */
const TAG_ORDER = [
  "Sessions",
  "Decisions",
  "Oath",
  "Ledger",
  "Agents",
  "Members",
  "Organization",
  "Operator",
];

/** Every operation, by its tag. */
export function endpointsByTag(document: Document): [tag: string, endpoints: Endpoint[]][] {
  const byTag = new Map<string, Endpoint[]>(TAG_ORDER.map((tag) => [tag, []]));
  for (const [path, methods] of Object.entries(document.paths))
    for (const [method, operation] of Object.entries(methods)) {
      const tag = operation.tags[0] ?? "Other";
      byTag.set(tag, [...(byTag.get(tag) ?? []), { method: method.toUpperCase(), path, operation }]);
    }
  return [...byTag].filter(([, endpoints]) => endpoints.length > 0);
}

/** The schema that a reference stands for, with `allOf` made one. */
export function resolved(schema: Schema, document: Document): Schema {
  if (schema.$ref !== undefined) {
    const found = document.components.schemas[nameOf(schema) ?? ""];
    if (found === undefined) return {};
    const description = schema.description ?? found.description;
    return { ...resolved(found, document), ...(description === undefined ? {} : { description }) };
  }
  if (schema.allOf === undefined) return schema;
  const { allOf, ...own } = schema;
  const parts = [...allOf, own].map((part) => resolved(part, document));
  return {
    ...Object.assign({}, ...parts),
    properties: Object.assign({}, ...parts.map((part) => part.properties)),
    required: parts.flatMap((part) => part.required ?? []),
  };
}

/** The name of a referenced schema. */
export function nameOf(schema: Schema): string | null {
  return schema.$ref?.split("/").at(-1) ?? null;
}
