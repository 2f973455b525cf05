/** A JSON schema for people: each member with its type, whether it must be there, and what it may be. */

import { type Document, type Parameter, resolved, type Schema } from "./document.ts";
import { prose } from "./prose.tsx";

/** Deeper than any schema of ours nests; one that refers to itself ends here. */
const MAX_DEPTH = 8;

interface SchemaProps {
  readonly schema: Schema;
  readonly document: Document;
  readonly depth?: number;
}

/** The members of an object, or what stands in place of one. */
export function SchemaView({ schema, document, depth = 0 }: SchemaProps) {
  const one = resolved(schema, document);
  const alternatives = (one.anyOf ?? one.oneOf ?? []).filter((option) => !isNull(resolved(option, document)));
  if (depth >= MAX_DEPTH) return <p class="type">any JSON value</p>;
  if (one.properties !== undefined && Object.keys(one.properties).length > 0)
    return (
      <ul class="members">
        {Object.entries(one.properties).map(([name, member]) => (
          <Member
            name={name}
            schema={member}
            required={one.required?.includes(name) === true}
            document={document}
            depth={depth}
          />
        ))}
      </ul>
    );
  const inner =
    one.items ?? (typeof one.additionalProperties === "object" ? one.additionalProperties : undefined);
  if (inner !== undefined && nests(inner, document))
    return <SchemaView schema={inner} document={document} depth={depth + 1} />;
  if (alternatives.some((option) => nests(option, document)))
    return (
      <>
        {alternatives.map((option, i) => (
          <>
            {alternatives.length > 1 ? <p class="type">{i === 0 ? "Either" : "or"}</p> : null}
            <SchemaView schema={option} document={document} depth={depth + 1} />
          </>
        ))}
      </>
    );
  return <p class="type">{typeOf(one, document)}</p>;
}

function Member({
  name,
  schema,
  required,
  document,
  depth,
}: {
  name: string;
  schema: Schema;
  required: boolean;
  document: Document;
  depth: number;
}) {
  const one = resolved(schema, document);
  return (
    <li>
      <p>
        <code>{name}</code> <span class="type">{typeOf(one, document)}</span>{" "}
        {required ? <span class="tag tag-strong">required</span> : null}
      </p>
      <Limits schema={one} />
      {one.description === undefined ? null : <p>{prose(one.description)}</p>}
      {nests(one, document) ? <SchemaView schema={one} document={document} depth={depth + 1} /> : null}
    </li>
  );
}

/** What a value may be, beyond its type. */
function Limits({ schema }: { schema: Schema }) {
  const item = schema.items ?? {};
  const values = schema.enum ?? item.enum;
  const bounds = [
    schema.minLength !== undefined && schema.minLength > 1 ? `at least ${schema.minLength} characters` : null,
    schema.maxLength === undefined ? null : `at most ${number(schema.maxLength)} characters`,
    schema.minimum === undefined || schema.minimum <= Number.MIN_SAFE_INTEGER
      ? null
      : `from ${number(schema.minimum)}`,
    schema.maximum === undefined || schema.maximum >= Number.MAX_SAFE_INTEGER
      ? null
      : `up to ${number(schema.maximum)}`,
    schema.minItems === undefined ? null : `at least ${number(schema.minItems)}`,
    schema.maxItems === undefined ? null : `at most ${number(schema.maxItems)} of them`,
    schema.default === undefined ? null : `default ${JSON.stringify(schema.default)}`,
  ].filter((bound) => bound !== null);
  if (values === undefined && bounds.length === 0) return null;
  return (
    <p class="type">
      {values === undefined ? null : (
        <>
          one of{" "}
          {values.map((value, i) => (
            <>
              {i === 0 ? "" : ", "}
              <code>{String(value)}</code>
            </>
          ))}
          {bounds.length > 0 ? "; " : ""}
        </>
      )}
      {bounds.join(", ")}
    </p>
  );
}

export function Parameters({
  parameters,
  document,
}: {
  parameters: readonly Parameter[];
  document: Document;
}) {
  return (
    <ul class="members">
      {parameters.map(({ name, in: place, required, description, schema = {} }) => {
        const one = resolved(schema, document);
        const text = description ?? one.description;
        return (
          <li>
            <p>
              <code>{name}</code>{" "}
              <span class="type">
                in the {place}, {typeOf(one, document)}
              </span>{" "}
              {required === true ? <span class="tag tag-strong">required</span> : null}
            </p>
            <Limits schema={one} />
            {text === undefined ? null : <p>{prose(text)}</p>}
          </li>
        );
      })}
    </ul>
  );
}

function typeOf(schema: Schema, document: Document): string {
  const one = resolved(schema, document);
  const options = one.anyOf ?? one.oneOf;
  if (options !== undefined)
    return [...new Set(options.map((option) => typeOf(option, document)))].join(" or ");
  if (one.const !== undefined) return JSON.stringify(one.const);
  const types = typeof one.type === "string" ? [one.type] : (one.type ?? []);
  if (types.length === 0) return one.properties === undefined ? "any JSON value" : "object";
  return types
    .map((type) => {
      if (type === "array") return `list of ${plural(typeOf(one.items ?? {}, document))}`;
      if (type === "object" && typeof one.additionalProperties === "object")
        return `map of ${plural(typeOf(one.additionalProperties, document))}`;
      return type;
    })
    .join(" or ");
}

function plural(type: string): string {
  return type.includes(" ") ? type : `${type}s`;
}

/** True when there is more to say of it than its type. */
function nests(schema: Schema, document: Document, depth = 0): boolean {
  if (depth > MAX_DEPTH) return false;
  const one = resolved(schema, document);
  if (one.properties !== undefined && Object.keys(one.properties).length > 0) return true;
  const inner = [
    ...(one.items === undefined ? [] : [one.items]),
    ...(typeof one.additionalProperties === "object" ? [one.additionalProperties] : []),
    ...(one.anyOf ?? one.oneOf ?? []),
  ];
  return inner.some((part) => nests(part, document, depth + 1));
}

function isNull(schema: Schema): boolean {
  return schema.type === "null";
}

function number(n: number): string {
  return n.toLocaleString("en-GB");
}
