/**
 * Runs containers with an OCI runtime (runc, crun), as root on Linux.
 *
 * Each container has its own root file system on top of its image's, its own namespaces, and limits. It shares the
 * machine's network, so that pods keep their loopback addresses (oci-config.ts). The container lifecycle creates and
 * deletes the containers, with hooks, under a supervisor of the node.
 *
 * If the supervisor is killed, the container keeps running, but its log is no longer written and its exit cannot be
 * observed. So it is killed, and its end is unknown.
 */
import { decodeUtf8, encodeUtf8 } from '../../../../src/platform/byte-text.ts';
import {
  type ContainerRuntime,
  type ContainerSpec,
  type ExecSpec,
  type Mount,
  StartError,
} from '../../../../src/platform/container-runtime.ts';
import type { ByteText, Files } from '../../../../src/platform/platform.ts';
import type { ProgramUser } from '../../../../src/platform/supervisor-host.ts';
import type { Program } from '../../../../src/supervisor/frames.ts';
import { readStart } from '../../../../src/supervisor/records.ts';
import {
  KeptContainer,
  removeFolder,
  type ExecCall,
  type KeptPlace,
  type Runner,
} from './kept-container.ts';
import { folderOfContainer, openKeptRuntime, orderOf, writeIntent } from './kept-runtime.ts';
import { execProcess, ociConfig, type OciConfig } from './oci-config.ts';
import {
  exitCodeOfMessage,
  type OciContainer,
  type OciRuntimeOptions,
  runtimeRoot,
} from './oci-containers.ts';
import { findUser } from './oci-user.ts';
import { mountRoot, rootOf, unmountRoot } from './overlay.ts';
import { supervisorEnvironment, type RuntimeWorld } from './runtime-world.ts';

export async function openOciRuntime(
  world: RuntimeWorld,
  options: OciRuntimeOptions,
): Promise<ContainerRuntime> {
  let execs = 0;
  const { containers } = options;
  const containerOf = ({ folder, order }: KeptPlace): OciContainer => ({ id: order.id, folder });
  const destroy = async (place: KeptPlace): Promise<void> => {
    await containers.delete(containerOf(place));
    await unmountRoot(world, place.folder);
  };
  return openKeptRuntime(world, {
    name: options.name,
    setsLimits: true,
    start: (runner, spec) => start({ world, options, runner }, spec),
    execProgram: ({ place }, spec) => {
      execs += 1;
      return execOf({ world, options, place, number: execs }, spec);
    },
    neverBegan: (place) => containers.neverBegan(containerOf(place)),
    destroy,
    remove: destroy,
  });
}

interface Starting {
  readonly world: RuntimeWorld;
  readonly options: OciRuntimeOptions;
  readonly runner: Runner;
}

async function start(
  { world, options, runner }: Starting,
  spec: ContainerSpec,
): Promise<KeptContainer> {
  const { files } = world.platform;
  const folder = folderOfContainer(world, spec.id);
  const user = await findUser(files, spec);
  const order = orderOf(spec, folder, programOf(spec, user));
  const place: KeptPlace = { world, folder, order, report: null };
  try {
    await writeIntent(world, folder, order);
    await mountRoot(world, spec.image, folder);
    const etc = await writeEtcFiles(files, folder, spec);
    const config = ociConfig(spec, { rootfs: rootOf(folder), user, files: etc });
    await writeJson(world, `${folder}/config.json`, config);
    await options.containers.run({ id: spec.id, folder });
    const report = await readStart(files, folder);
    return new KeptContainer(runner, { ...place, report }, null);
  } catch (error) {
    await runner.destroy(place);
    await removeFolder(place);
    throw error;
  }
}

/** The program in the container. The supervisor executes the runtime, which starts this program. */
function programOf({ argv, env, workingDir }: ContainerSpec, user: ProgramUser): Program {
  return { file: argv[0] ?? '', argv, env, cwd: workingDir ?? '/', user };
}

interface Execution {
  readonly world: RuntimeWorld;
  readonly options: OciRuntimeOptions;
  readonly place: KeptPlace;
  readonly number: number;
}

/** Runs a command with the runtime's `exec`, which writes its own errors to a log file. */
async function execOf(
  { world, options, place, number }: Execution,
  { argv, stdin, tty }: ExecSpec,
): Promise<ExecCall> {
  const { files } = world.platform;
  const { folder, order } = place;
  const config = JSON.parse(decodeUtf8(await files.read(`${folder}/config.json`))) as OciConfig;
  const handover = `exec-${world.platform.clock.nowMs()}-${number}`;
  const name = `${folder}/${handover}`;
  await writeJson(world, `${name}.json`, execProcess(config, { argv, tty }));
  const global = ['--root', runtimeRoot(world), '--log', `${name}.log`, '--log-format', 'json'];
  const command = [options.command, ...global, 'exec', '--process', `${name}.json`, order.id];
  const program = {
    file: options.command,
    argv: command,
    env: supervisorEnvironment(world.env),
    cwd: folder,
    user: null,
  };
  return {
    purpose: { kind: 'exec', program, stdin, tty, handover: tty ? handover : null },
    settle: async () => {
      const said = await world.platform.files.read(`${name}.log`).catch(() => '');
      for (const ending of ['json', 'log']) await files.remove(`${name}.${ending}`);
      const failure = failureIn(decodeUtf8(said));
      if (failure !== null) throw new StartError('StartError', failure, exitCodeOfMessage(failure));
    },
  };
}

/** The first error in a log with one JSON object per line; null if there is none. */
function failureIn(log: string): string | null {
  for (const line of log.split('\n')) {
    const [, message] = /"level":"error".*?"msg":("(?:[^"\\]|\\.)*")/.exec(line) ?? [];
    const [, before] = /"msg":\s*("(?:[^"\\]|\\.)*").*"level":\s*"error"/.exec(line) ?? [];
    const found = message ?? before;
    if (found !== undefined) return String(JSON.parse(found));
  }
  return null;
}

const fileMode = 0o600;

async function writeJson({ platform }: RuntimeWorld, path: string, value: object): Promise<void> {
  await platform.files.replace(path, `${encodeUtf8(JSON.stringify(value))}\n`, { mode: fileMode });
}

const etcFileMode = 0o644;

/**
 * Writes the files that the node mounts over those in the image's /etc. The hosts file has the pod's address, from the
 * variable POD_IP of the container.
 */
async function writeEtcFiles(
  files: Files,
  folder: string,
  { hostname, env }: Pick<ContainerSpec, 'hostname' | 'env'>,
): Promise<readonly Mount[]> {
  const address = env['POD_IP'] ?? '127.0.0.1';
  const contents = {
    hosts: encodeUtf8(
      `127.0.0.1\tlocalhost\n::1\tlocalhost ip6-localhost ip6-loopback\n${address}\t${hostname}\n`,
    ),
    hostname: encodeUtf8(`${hostname}\n`),
    'resolv.conf': await resolverOf(files),
  };
  const mounts: Mount[] = [];
  for (const [name, bytes] of Object.entries(contents)) {
    const source = `${folder}/etc-${name}`;
    await files.replace(source, bytes, { mode: etcFileMode });
    mounts.push({ name, source, target: `/etc/${name}`, readOnly: false });
  }
  return mounts;
}

/** DNS configuration of the machine: containers share the machine's network. */
async function resolverOf(files: Files): Promise<ByteText> {
  return files.read('/etc/resolv.conf').catch(() => '');
}
