/**
 * The options of the pipeline's verbs, with the names and environment variables of Skaffold. `--push`, `--push=true`
 * and `--push=false` are all accepted.
 */
import { type Command, InvalidArgumentError, Option } from 'commander';

import { parsePort } from '../cluster/up-command.ts';
import { WrongUse } from '../root-command.ts';
import { quietOption, type QuietOptions } from '../shared-options.ts';
import { flag, list, parseBoolean, text } from './option-kinds.ts';

export interface PipelineOptions extends QuietOptions {
  readonly filename?: string;
  /** "-name" deactivates a profile. */
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
  /** 0: any free port. */
  readonly httpPort?: number;
  /** Port of --rpc-http-port, which has precedence over --http-port. */
  readonly rpcHttpPort?: number;
  /** Port of gRPC; 0: any free port. */
  readonly rpcPort?: number;
  readonly compat: boolean;
  /** True: the process exits with the exit code of the hook or program that failed. */
  readonly exitCodeFromHook?: boolean;
  readonly ignoreUnsupported: boolean;
  readonly kubeconfig?: string;
  readonly kubeContext?: string;
  readonly containerProgram?: ContainerProgram;
  readonly label?: Readonly<Record<string, string>>;
  readonly platform?: readonly string[];
  readonly watchImage?: readonly string[];
  readonly verbosity?: Verbosity;
}

const VERBOSITIES = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'panic'] as const;

export type Verbosity = (typeof VERBOSITIES)[number];

const CONTAINER_PROGRAMS = ['docker', 'podman', 'buildah'] as const;

type ContainerProgram = (typeof CONTAINER_PROGRAMS)[number];

/** Adds the options that every verb has. */
export function withPipelineOptions(command: Command): Command {
  return withServerOptions(withWayOptions(withFileOptions(command)));
}

/** Options of the servers for the session's events. */
function withServerOptions(command: Command): Command {
  return command
    .addOption(
      text(
        '--http-port <number>',
        'port to serve the events on; 0: any free port',
        'HTTP_PORT',
      ).argParser(parsePort),
    )
    .addOption(
      text(
        '--rpc-http-port <number>',
        'the same as --http-port, under its name in Skaffold',
        'RPC_HTTP_PORT',
      ).argParser(parsePort),
    )
    .addOption(
      text(
        '--rpc-port <number>',
        'port to serve the event API over gRPC; 0: any free port',
        'RPC_PORT',
      ).argParser(parsePort),
    );
}

function withFileOptions(command: Command): Command {
  return command
    .configureOutput({
      outputError: (message) => {
        throw new WrongUse(message, async () => {
          const { withReason, withTakers } = await import('./refused-flags.ts');
          return withTakers(withReason(message), command);
        });
      },
    })
    .option('-f, --filename <file>', 'pipeline file; default: skaffold.yaml in this directory')
    .addOption(
      list('-p, --profile <names>', 'profiles, comma-separated; -NAME turns one off', 'PROFILE'),
    )
    .addOption(
      list(
        '-m, --module <names>',
        'only these modules and those that they require',
        'MODULE',
      ).default([], 'all'),
    )
    .addOption(
      text('-d, --default-repo <name>', 'registry to put before image names', 'DEFAULT_REPO'),
    )
    .addOption(
      flag(
        '--multi-level-repo [boolean]',
        'the registry accepts names with several levels',
        'MULTI_LEVEL_REPO',
      ),
    )
    .addOption(text('-n, --namespace <name>', 'default: that of the context', 'NAMESPACE'))
    .addOption(
      text('--kubeconfig <file>', 'default: $KUBECONFIG, else ~/.kube/config', 'KUBECONFIG'),
    )
    .addOption(
      text('--kube-context <name>', 'default: the current one of the kubeconfig', 'KUBE_CONTEXT'),
    );
}

/** Adds the options for execution and verbosity. */
function withWayOptions(command: Command): Command {
  return command
    .addOption(quietOption())
    .addOption(
      flag('--compat [boolean]', 'defaults and behaviour as in Skaffold', null).default(false),
    )
    .addOption(
      flag(
        '--exit-code-from-hook [boolean]',
        'exit with the code of the hook or the program that failed, instead of 3 or 1',
        null,
      ),
    )
    .addOption(
      flag(
        '--ignore-unsupported [boolean]',
        'ignore fields that Lifehook does not support; each of them is a warning',
        null,
      ).default(false),
    )
    .addOption(
      text(
        '-v, --verbosity <level>',
        'error and above: no warnings; debug and below: every event in full; info: the same as warn',
        'VERBOSITY',
      )
        .choices(VERBOSITIES)
        .default('warn'),
    );
}

/** Adds the options of verbs that build images or need built images. */
export function withBuildOptions(command: Command): Command {
  return command
    .addOption(text('-t, --tag <tag>', 'tag of every image, instead of the tag policy', 'TAG'))
    .addOption(flag('--push [boolean]', 'push images; default: if the cluster needs it', 'PUSH'))
    .addOption(
      flag(
        '--cache-artifacts [boolean]',
        'skip images that were built from the same files',
        'CACHE_ARTIFACTS',
      ).default(true),
    )
    .addOption(
      list(
        '-b, --build-image <names>',
        'only these images and those that they require',
        'BUILD_IMAGE',
      ).default([], 'all'),
    )
    .addOption(flag('--skip-tests [boolean]', 'skip the test phase', 'SKIP_TESTS').default(false))
    .addOption(
      new Option(
        '--container-program <name>',
        'program that builds Dockerfiles; default: the first one that works',
      ).choices(CONTAINER_PROGRAMS),
    );
}

/** Adds the label option of verbs that render or apply manifests. */
export function withLabelOption(command: Command): Command {
  return command.addOption(
    text(
      '-l, --label <name=value>',
      'label for all objects and pod templates; repeatable',
      'LABEL',
    ).argParser(moreLabels),
  );
}

/** Adds the platform option of verbs that build or render. */
export function withPlatformOption(command: Command): Command {
  return command.addOption(
    list('--platform <names>', 'image platforms, such as linux/arm64', 'PLATFORM').default(
      [],
      'those in the pipeline file',
    ),
  );
}

/** Adds Skaffold's option `--no-prune`. It has no effect, because Lifehook never removes images. */
export function withPruneOption(command: Command): Command {
  return command.option('--no-prune', 'no effect: built images are always kept');
}

/** The options about streams that stay open after a deployment, for verbs that deploy once. */
export function withStayOptions(command: Command): Command {
  return command
    .addOption(portForwardFlag('forward ports until Ctrl-C').default(false))
    .addOption(flag('--tail [boolean]', 'print the logs until Ctrl-C', 'TAIL').default(false));
}

/** Adds the options of verbs that deploy. */
export function withDeployOptions(command: Command): Command {
  return command.addOption(
    flag('--status-check [boolean]', 'wait until the deployed objects are ready', 'STATUS_CHECK'),
  );
}

/** The defaults of options that a verb does not have. */
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

/** `--port-forward` as in Skaffold, which accepts a list of modes. Only "user" and "off" are supported here. */
export function portForwardFlag(description: string): Option {
  const said = `${description}; user means true, off means false`;
  return text('--port-forward [boolean]', said, 'PORT_FORWARD').argParser((given: string) => {
    const kinds = given.split(',');
    const other = kinds.find((one) => ['services', 'pods', 'debug'].includes(one));
    if (other !== undefined) {
      const what = `"${other}" cannot be forwarded`;
      throw new InvalidArgumentError(
        `${what}: add the ports to portForward of the file, and write --port-forward=user.`,
      );
    }
    if (given === 'user') return true;
    return given === 'off' ? false : parseBoolean(given);
  });
}

/** Parses labels as Kubernetes does; a label without a value is empty, as in Skaffold. */
function moreLabels(
  given: string,
  before: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  const pairs = given.split(',').map((pair): [string, string] => {
    const [name = '', ...value] = pair.split('=');
    return [name, value.join('=')];
  });
  for (const [name, value] of pairs) {
    if (!LABEL_NAME.test(name)) {
      throw new InvalidArgumentError(
        `"${name}" is not the name of a label, such as team or acme.dev/team.`,
      );
    }
    if (!LABEL_VALUE.test(value)) {
      throw new InvalidArgumentError(
        `"${value}" is not a label value: at most 63 letters, digits, "-", "_" and ".", with a letter or digit at both ends.`,
      );
    }
  }
  return { ...before, ...Object.fromEntries(pairs) };
}

const LABEL_NAME =
  /^(?:[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?\/)?[A-Za-z0-9](?:[\w.-]{0,61}[A-Za-z0-9])?$/;
const LABEL_VALUE = /^(?:[A-Za-z0-9](?:[\w.-]{0,61}[A-Za-z0-9])?)?$/;
