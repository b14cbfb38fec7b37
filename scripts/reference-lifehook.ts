/** Descriptions of the fields of lifehook.yaml, keyed by the last part of the path; the schema has the rest. */
const WORDS: Readonly<Record<string, string>> = {
  apiVersion: 'Optional.',
  kind: 'Optional.',
  policies: 'Policies of the hooks of skaffold.yaml, by the address of the hook.',
  stages:
    'Hooks that run after a failure or in any case, by their place: "build/web", "deploy/kubectl", "render".',
  test: 'Hooks before and after the tests.',
  verify: 'Hooks before and after the verifications.',
  portForward: 'Hooks before and after port forwarding.',
  cleanup: 'Hooks before and after the deployed objects are deleted.',
  ready: 'Hooks that run when all deployed objects are ready.',
  folderBuilders:
    'Images that consist of a directory and a command, for the local cluster; by image name.',
  name: 'Name of the hook in messages and values, instead of its address.',
  timeoutSeconds: 'Longest time of one attempt, in seconds.',
  retries: 'Number of attempts after a failed first one.',
  backoffSeconds: 'Seconds before the first retry; each later pause is twice as long.',
  onFailure:
    'Effect of a failed hook. fail: its phase fails; warn: the phase continues with a warning; ignore: it continues without one.',
  onLeftover:
    'Treatment of processes in the process group of a host hook that outlive the hook. If not given, they continue, with a warning.',
  run: 'When the hook runs. as-phase (the default): as without a policy; always: also for an image that is in the cache; changed: only if its `inputs` differ from those of its last success; once-per-session: once in a `dev` session.',
  paths: 'Globs of files: a sync hook runs only if one of them is synced.',
  lock: 'Name of a lock; hooks with the same lock never run at the same time.',
  required: 'True: a container hook fails if no container matches.',
  inputs:
    'Globs of the files that the hook reads. If they are set, the hook runs before tags and cache keys are computed; `run: changed` compares these files.',
  outputs:
    'Globs of the files that the hook writes. They are part of the cache key of the image, and `dev` ignores their changes.',
  stdoutCommands: 'True: `::set-env` lines on its standard output set values.',
  secrets: 'Names of its values that are masked in all output and records.',
  recordedValues:
    'Names of variables whose values are safe to record. Of other variables only the names are recorded.',
  env: 'Additional environment variables.',
  before: 'Hooks that run before the phase.',
  after: 'Hooks that run after the phase has succeeded.',
  onError: 'Hooks that run after the phase has failed or was cancelled.',
  finally: 'Hooks that run after the phase in any case.',
  host: 'A command on this machine.',
  container: 'A command in the deployed containers that match.',
  command: 'The program and its arguments: there is no shell.',
  os: 'Operating systems on which the hook runs, as GOOS names them, such as linux or darwin.',
  dir: 'Working directory, relative to the directory of the file.',
  podName: 'Glob of pod names.',
  podPrefix: 'Prefix of pod names.',
  containerName: 'Glob of container names.',
  path: 'Directory with the content of the image, relative to the build context.',
  ignore: 'Globs of files that the image does not get.',
  workingDir: 'Working directory of the command.',
};

/** @throws Error for a field without a description. */
export function lifehookWords(field: string): string {
  const name = field.split('.').at(-1)?.replaceAll('[]', '') ?? '';
  const words = WORDS[name];
  if (words === undefined)
    throw new Error(`${field} has no words in scripts/reference-lifehook.ts`);
  return words;
}
