/**
 * The options of the pipeline's verbs, under the names that the shipped tool has for them, and with its environment
 * variables. `--push`, `--push=true` and `--push=false` are all possible.
 */
import { type Command, InvalidArgumentError, Option } from 'commander';

import { parsePort } from '../cluster/cluster-options.ts';

export interface PipelineOptions {
  readonly filename?: string;
  /** "-name" is off. */
  readonly profile: readonly string[];
  readonly module: readonly string[];
  readonly defaultRepo?: string;
  readonly multiLevelRepo?: boolean;
  readonly tag?: string;
  readonly push?: boolean;
  readonly cacheArtifacts: boolean;
  readonly namespace?: string;
  readonly buildImage: readonly string[];
  readonly skipTests: boolean;
  readonly statusCheck?: boolean;
  /** 0: any that is free. */
  readonly httpPort?: number;
  readonly compat: boolean;
  readonly ignoreUnsupported: boolean;
  readonly kubeconfig?: string;
  readonly kubeContext?: string;
  readonly containerProgram?: ContainerProgram;
}

const CONTAINER_PROGRAMS = ['docker', 'podman', 'buildah'] as const;

type ContainerProgram = (typeof CONTAINER_PROGRAMS)[number];

/** Of every verb. */
export function withPipelineOptions(command: Command): Command {
  return command
    .option('-f, --filename <file>', 'instead of skaffold.yaml in this folder')
    .addOption(
      list('-p, --profile <names>', 'profiles, with commas between; -NAME is off', 'PROFILE'),
    )
    .addOption(
      list('-m, --module <names>', 'only these modules and what they require', 'MODULE').default(
        [],
        'all',
      ),
    )
    .addOption(
      text('-d, --default-repo <name>', 'the registry that images are named after', 'DEFAULT_REPO'),
    )
    .addOption(
      flag(
        '--multi-level-repo [boolean]',
        'the registry takes names of several levels',
        'MULTI_LEVEL_REPO',
      ),
    )
    .addOption(text('-n, --namespace <name>', 'instead of that of the context', 'NAMESPACE'))
    .addOption(
      text('--kubeconfig <file>', 'instead of $KUBECONFIG and ~/.kube/config', 'KUBECONFIG'),
    )
    .addOption(
      text('--kube-context <name>', 'instead of the current one of the kubeconfig', 'KUBE_CONTEXT'),
    )
    .addOption(
      text(
        '--http-port <number>',
        'serve the events here; 0 is any that is free',
        'HTTP_PORT',
      ).argParser(parsePort),
    )
    .addOption(
      flag('--compat [boolean]', "the shipped tool's own values and ways", null).default(false),
    )
    .addOption(
      flag(
        '--ignore-unsupported [boolean]',
        'run the rest of a file that says what is not done here; each such field is a warning',
        null,
      ).default(false),
    );
}

/** Of verbs that build, or have to know what was built. */
export function withBuildOptions(command: Command): Command {
  return command
    .addOption(text('-t, --tag <tag>', 'of every image, instead of the tag policy', 'TAG'))
    .addOption(flag('--push [boolean]', 'push images; without it as the cluster needs it', 'PUSH'))
    .addOption(
      flag(
        '--cache-artifacts [boolean]',
        'leave out what was built of the same files',
        'CACHE_ARTIFACTS',
      ).default(true),
    )
    .addOption(
      list(
        '-b, --build-image <names>',
        'only these images and what they require',
        'BUILD_IMAGE',
      ).default([], 'all'),
    )
    .addOption(
      flag('--skip-tests [boolean]', 'without the test phase', 'SKIP_TESTS').default(false),
    )
    .addOption(
      new Option(
        '--container-program <name>',
        'what builds Dockerfiles; without it the first that works',
      ).choices(CONTAINER_PROGRAMS),
    );
}

/** Of verbs that deploy once: what is to stay open then. */
export interface StayOptions {
  readonly portForward: boolean;
  readonly tail: boolean;
}

export function withStayOptions(command: Command): Command {
  return command
    .addOption(
      flag('--port-forward [boolean]', 'forward ports until Ctrl-C', 'PORT_FORWARD').default(false),
    )
    .addOption(flag('--tail [boolean]', 'print the logs until Ctrl-C', 'TAIL').default(false));
}

/** Of verbs that deploy. */
export function withDeployOptions(command: Command): Command {
  return command.addOption(
    flag('--status-check [boolean]', 'wait until what was deployed is ready', 'STATUS_CHECK'),
  );
}

/** What verbs without these options mean by their absence. */
export const OPTION_DEFAULTS: Pick<
  PipelineOptions,
  | 'profile'
  | 'module'
  | 'cacheArtifacts'
  | 'buildImage'
  | 'skipTests'
  | 'compat'
  | 'ignoreUnsupported'
> = {
  profile: [],
  module: [],
  cacheArtifacts: true,
  buildImage: [],
  skipTests: false,
  compat: false,
  ignoreUnsupported: false,
};

function text(flags: string, description: string, variable: string): Option {
  return new Option(flags, description).env(`SKAFFOLD_${variable}`);
}

function list(flags: string, description: string, variable: string): Option {
  const none: readonly string[] = [];
  return text(flags, description, variable).default(none, 'none').argParser(moreNames);
}

function moreNames(given: string, before: readonly string[]): readonly string[] {
  const names = given.split(',').map((name) => name.trim());
  return [...before, ...names.filter((name) => name !== '')];
}

export function flag(flags: string, description: string, variable: string | null): Option {
  const option = new Option(flags, description).argParser(parseBoolean);
  return variable === null ? option : option.env(`SKAFFOLD_${variable}`);
}

function parseBoolean(given: string): boolean {
  if (given === 'true' || given === '1') return true;
  if (given === 'false' || given === '0') return false;
  throw new InvalidArgumentError('It is true or false.');
}
