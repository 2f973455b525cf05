import { ARCHIVE_ROWS } from "./archives.ts";
import { BUILTIN_ROWS } from "./builtins.ts";
import { COPY_ROWS } from "./copies.ts";
import { FILE_ROWS } from "./files.ts";
import { GIT_ROWS } from "./git.ts";
import { INTERPRETER_ROWS } from "./interpreters.ts";
import { MAIL_ROWS } from "./mail.ts";
import { NETWORK_ROWS } from "./network.ts";
import { READER_ROWS } from "./readers.ts";
import type { Row } from "./row.ts";
import { SEARCH_ROWS } from "./search.ts";
import { SERVICE_ROWS } from "./services.ts";
import { TEXT_ROWS } from "./text.ts";
import { WRAPPER_ROWS } from "./wrappers.ts";

/** Every command that is known; the first row that claims a name keeps it. */
export const COMMAND_ROWS: readonly Row[] = [
  ...BUILTIN_ROWS,
  ...WRAPPER_ROWS,
  ...FILE_ROWS,
  ...COPY_ROWS,
  ...ARCHIVE_ROWS,
  ...TEXT_ROWS,
  ...SEARCH_ROWS,
  ...GIT_ROWS,
  ...NETWORK_ROWS,
  ...MAIL_ROWS,
  ...INTERPRETER_ROWS,
  ...SERVICE_ROWS,
  ...READER_ROWS,
];
