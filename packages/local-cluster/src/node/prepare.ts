/** Prepares the next run of a container: image, environment, volumes and limits. */
import type { Container, Pod, PodSecurityContext, Service } from 'kubernetes-types/core/v1.js';

import type { KubeClient } from '../../../../src/kube/client.ts';
import {
  type ContainerSpec,
  type LocalImage,
  type Mount,
  StartError,
} from '../../../../src/platform/container-runtime.ts';
import type { Files } from '../../../../src/platform/platform.ts';
import { parseQuantity } from '../../../../src/kube/quantity.ts';
import { errorText } from '../../../../src/platform/error-text.ts';
import { volumeVariable } from '../runtime/host-program.ts';
import type { NodeAmounts } from './downward.ts';
import { containerEnv, envReferences, hostnameOf, expand } from './env.ts';
import { containerMounts } from './mounts.ts';
import type { Preparing } from './pod-worker.ts';
import { readSources } from './sources.ts';
import { terminationFile } from './termination-message.ts';
import type { MountedVolume, PodVolumes } from './volumes/pod-volumes.ts';
import { volumeReferences } from './volumes/volume-files.ts';

export interface PrepareOptions {
  readonly files: Files;
  readonly client: KubeClient;
  readonly podFolder: string;
  readonly volumes: PodVolumes;
  /** Returns the pod as it is now. It may have changed since the worker requested the run. */
  readonly newestPod: () => Pod;
  readonly podIp: string;
  readonly hostIp: string;
  readonly node: NodeAmounts;
  readonly resolveImage: (reference: string) => Promise<LocalImage | undefined>;
  /**
   * True if containers are plain processes of this machine. An unknown image is then an empty directory, and variables
   * have the paths of the container's volumes and message file.
   */
  readonly plain: boolean;
  /** Returns all services of the cluster. */
  readonly services: () => readonly Service[];
}

/** Mode of the pod's directory. The runtime lets the user of each container enter it. */
const PRIVATE_MODE = 0o700;

/** Rejects only with `StartError`, after which a retry may succeed. */
export async function prepareContainer(
  preparing: Preparing,
  options: PrepareOptions,
): Promise<ContainerSpec> {
  try {
    return await prepare(preparing, options);
  } catch (error) {
    if (error instanceof StartError) throw error;
    throw new StartError('CreateContainerError', errorText(error));
  }
}

async function prepare(
  { pod, container, id, labels }: Preparing,
  options: PrepareOptions,
): Promise<ContainerSpec> {
  const { client, podIp, hostIp, node, services, files } = options;
  const { namespace = '' } = pod.metadata ?? {};
  const references = [...envReferences(container), ...volumeReferences(pod)];
  await files.makeFolder(options.podFolder, PRIVATE_MODE);
  // Volumes are mounted before the image is resolved, as in a kubelet: no container starts before all volumes of its
  // pod are mounted.
  const { facts, volumes } = await options.volumes.mount(async () => {
    const sources = await readSources(client, namespace, references);
    return { pod: options.newestPod(), container, podIp, hostIp, node, sources };
  });
  const image = await imageOf(container, options);
  const reported = containerEnv({
    ...facts,
    services: services(),
    imageEnv: image.config.env,
  });
  const mounts = await containerMounts(files, { container, volumes, env: reported });
  const message = await terminationFile(files, { ...options, container, id });
  const env = options.plain
    ? { ...placesOf(container, volumes), ...message.env, ...reported }
    : reported;
  return {
    id,
    labels,
    image,
    argv: argvOf(container, image, env),
    env,
    workingDir: container.workingDir ?? null,
    ...placedIn(mounts, message.mounts, options),
    ...streamsOf(container),
    hostname: hostnameOf(pod),
    ...securityOf(pod, container),
    limits: limitsOf(container),
    logLimitBytes: null,
    annotations: pod.metadata?.annotations ?? {},
  };
}

/** Mounts and paths of a container. A plain process gets its message file as a path in a variable, not as a mount. */
function placedIn(
  mounts: readonly Mount[],
  message: readonly Mount[],
  { plain }: PrepareOptions,
): Pick<ContainerSpec, 'mounts' | 'places'> {
  if (!plain) return { mounts: [...mounts, ...message] };
  return { mounts, places: message.map(({ source }) => source) };
}

function streamsOf({
  stdin = false,
  stdinOnce = false,
  tty = false,
}: Container): Pick<ContainerSpec, 'stdin' | 'stdinOnce' | 'tty'> {
  return { stdin, stdinOnce, tty };
}

/** Variables with the path of each volume, even if only a subPath of it is mounted. */
function placesOf(
  { volumeMounts = [] }: Container,
  volumes: ReadonlyMap<string, MountedVolume>,
): Record<string, string> {
  const names = new Set(volumeMounts.map(({ name }) => name));
  return Object.fromEntries(
    [...names].map((name) => [volumeVariable(name), volumes.get(name)?.path ?? '']),
  );
}

async function imageOf(container: Container, options: PrepareOptions): Promise<LocalImage> {
  const reference = container.image ?? '';
  const image = await options.resolveImage(reference);
  if (image !== undefined) return image;
  if (options.plain && (container.command ?? []).length > 0) return noImage(reference);
  const how = `import it with: lifehook image import PATH ${reference}`;
  const why = options.plain
    ? `image "${reference}" is not on this node; without an image a container needs a command`
    : `image "${reference}" is not on this node`;
  throw new StartError('ErrImageNeverPull', `${why}; ${how}`);
}

function noImage(reference: string): LocalImage {
  const config = { entrypoint: [], command: [], env: {}, workingDir: null, user: null };
  return { reference, id: '', rootPath: null, config };
}

/**
 * The program and its arguments. `command` replaces the image's entrypoint and arguments; `args` replaces its
 * arguments.
 */
function argvOf(
  { name, command = [], args = [] }: Container,
  { config, reference }: LocalImage,
  env: Readonly<Record<string, string>>,
): readonly string[] {
  const first = command.length > 0 ? command : config.entrypoint;
  const rest = args.length > 0 || command.length > 0 ? args : config.command;
  const argv = [...first, ...rest].map((part) => expand(part, env));
  if (argv.length > 0) return argv;
  const message = `container ${name} has no command, and its image "${reference}" names none`;
  throw new StartError('CreateContainerError', message);
}

type Security = Pick<ContainerSpec, 'user' | 'groups' | 'readOnlyRoot' | 'privileged'>;

export function securityOf({ spec }: Pod, { securityContext = {} }: Container): Security {
  const { readOnlyRootFilesystem = false, privileged = false } = securityContext;
  const merged = { ...spec?.securityContext, ...securityContext };
  return { ...identityOf(merged), readOnlyRoot: readOnlyRootFilesystem, privileged };
}

/** User and groups of a container. The fsGroup is one more group. */
function identityOf({
  runAsUser: uid,
  runAsGroup,
  supplementalGroups = [],
  fsGroup,
}: PodSecurityContext): Pick<ContainerSpec, 'user' | 'groups'> {
  const more = fsGroup === undefined ? supplementalGroups : [...supplementalGroups, fsGroup];
  if (uid !== undefined) return { user: { uid, gid: runAsGroup ?? 0, groups: more } };
  return { user: null, groups: { gid: runAsGroup ?? null, more } };
}

function limitsOf({ resources }: Container): ContainerSpec['limits'] {
  const { memory, cpu } = resources?.limits ?? {};
  return {
    memoryBytes: memory === undefined ? null : scaled(memory, 1_000_000_000n),
    cpuMillis: cpu === undefined ? null : scaled(cpu, 1_000_000n),
  };
}

function scaled(text: string, nanosPerUnit: bigint): number | null {
  const quantity = parseQuantity(text);
  return quantity === undefined ? null : Number(quantity.nanos / nanosPerUnit);
}
