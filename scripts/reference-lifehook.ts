/** Descriptions of the fields of lifehook.yaml, keyed by their last name; the schema has the rest. */
const WORDS: Readonly<Record<string, string>> = {
  apiVersion: 'May be left out.',
  kind: 'May be left out.',
  policies: 'What a skaffold.yaml cannot say of a hook, by the address of the hook.',
  stages: 'Hooks for what goes wrong, by their place: "build/web", "deploy/kubectl", "render".',
  test: 'Hooks around the tests.',
  verify: 'Hooks around verification.',
  portForward: 'Hooks around forwarded ports.',
  cleanup: 'Hooks around the clean-up.',
  ready: 'Hooks for when everything that was deployed is ready.',
  folderBuilders: 'Images that are a folder and a command, without a container builder; by image.',
  name: 'By which messages and values name the hook.',
  timeoutSeconds: 'Of one attempt.',
  retries: 'Further attempts after the first.',
  backoffSeconds: 'The pause before the first of them; it doubles.',
  onFailure: 'What its failure does to its phase.',
  onLeftover:
    'Of a host hook: what happens to processes of its group that outlive it. Absent: a warning, and they run on.',
  run: 'changed: only where its inputs differ from those of its last success.',
  paths: 'Globs, of a sync hook: it runs only where one of these files is synced.',
  lock: 'Hooks with the same lock never run at once.',
  required: 'Of a container hook: no container that matches is a failure.',
  inputs:
    'Globs of files that it reads: it runs before tags and cache keys are made, and `run: changed` means these.',
  outputs: 'Globs of files that it writes: part of the cache key, and no change to the watcher.',
  stdoutCommands: 'Whether `::set-env` on its standard output sets values.',
  secrets: 'Names of values of it that are masked wherever they show up.',
  recordedValues:
    'Names of harmless variables that it has or sets: the records of runs keep their values, and of others the names.',
  env: 'Its own variables.',
  before: 'Run before it.',
  after: 'Run after it, where it has succeeded.',
  onError: 'Run after it has failed.',
  finally: 'Run after it, whatever became of it.',
  host: 'Runs on this machine.',
  container: 'Runs in containers of what was deployed.',
  command: 'The program and its arguments: there is no shell.',
  os: "Systems, by Go's names; it is skipped on others.",
  dir: 'Where it runs, relative to the file.',
  podName: 'A glob.',
  podPrefix: 'What the name begins with.',
  containerName: 'A glob.',
  path: 'The folder, relative to the context.',
  ignore: 'Globs of files that are left out.',
  workingDir: 'Where the command runs.',
};

/** @throws Error for a field without a description. */
export function lifehookWords(field: string): string {
  const name = field.split('.').at(-1)?.replaceAll('[]', '') ?? '';
  const words = WORDS[name];
  if (words === undefined)
    throw new Error(`${field} has no words in scripts/reference-lifehook.ts`);
  return words;
}
