/** The model compiler: the only model call there is. It drafts; `policy/fence` decides what the words support. */
export {
  type CompileCause,
  type CompileDeps,
  type Compiled,
  type CompileInput,
  compileWithModel,
  MAX_REQUESTS,
} from "./compile.ts";
export type { AiBinding } from "./providers.ts";
export {
  type CompilerSettings,
  compilerSettings,
  isApiKey,
  keyPlace,
  PROVIDERS,
  type Provider,
  readCompilerSettings,
  type SettingsFault,
  shownSettings,
} from "./settings.ts";
