/** Types of `serve.mjs` for the tests. */
export declare const ROOT: string;
export declare const OPERATOR: string;
export declare class Client {
  readonly origin: string;
  send(
    method: string,
    path: string,
    body?: string,
    headers?: Record<string, string>,
  ): Promise<{ status: number; headers: Record<string, string | string[] | undefined>; text: string }>;
  json(
    method: string,
    path: string,
    body: unknown,
    headers?: Record<string, string>,
  ): Promise<Record<string, unknown>>;
}
export interface Worker {
  readonly name: string;
}
export declare function bundle(dir: string): string;
export declare function ourWorker(name: string, contents: string, objects?: string): Worker;
export declare function serve(
  workers: readonly Worker[],
): Promise<{ clients: Client[]; database: D1Database; stop: () => Promise<void> }>;
export declare function tenant(
  client: Client,
  settings?: object,
): Promise<{ key: Record<string, string>; owner: Record<string, string> }>;
