/**
 * Builds the config.json of a container of the OCI runner. Pure.
 *
 * - The container has its own pid, mount, ipc and uts namespaces.
 * - It shares the machine's network, because the addresses of pods are loopback addresses of the machine.
 * - No limits are raised and oom_score_adj is not set, so that CAP_SYS_RESOURCE is not needed.
 * - There is no seccomp filter, because the runtimes ship none.
 */
import type { ContainerSpec, Mount } from '../../../../src/platform/container-runtime.ts';
import type { ProgramUser } from '../../../../src/platform/supervisor-host.ts';
import { DEFAULT_PATH } from './host-program.ts';

export interface OciFacts {
  readonly rootfs: string;
  readonly user: ProgramUser;
  /** Bind mounts of the files that are generated for the container. */
  readonly files: readonly Mount[];
}

export type OciProcess = Readonly<Record<string, unknown>> & { readonly args: readonly string[] };

export interface OciConfig extends Readonly<Record<string, unknown>> {
  readonly process: OciProcess;
}

export function ociConfig(spec: ContainerSpec, facts: OciFacts): OciConfig {
  const { privileged, hostname, annotations, readOnlyRoot } = spec;
  const taken = new Set(spec.mounts.map(({ target }) => target));
  const files = facts.files.filter(({ target }) => !taken.has(target));
  return {
    ociVersion: '1.0.2',
    hostname,
    annotations,
    process: processOf(spec, facts.user),
    root: { path: facts.rootfs, readonly: readOnlyRoot },
    mounts: [...systemMounts(privileged), ...[...files, ...spec.mounts].map(bindOf)],
    linux: linuxOf(spec),
  };
}

/** The process of an exec: that of the container, with other arguments. */
export function execProcess(
  { process }: OciConfig,
  { argv, tty }: { readonly argv: readonly string[]; readonly tty: boolean },
): OciProcess {
  return { ...process, args: argv, terminal: tty };
}

const rootFolder = '/';

function processOf(spec: ContainerSpec, { uid, gid, groups }: ProgramUser): OciProcess {
  const { tty, argv, workingDir, image, privileged } = spec;
  const env = { PATH: DEFAULT_PATH, ...(tty ? { TERM: 'xterm' } : {}), ...spec.env };
  const granted = privileged ? allCapabilities : defaultCapabilities;
  // A user other than root has no capabilities until it executes a program with file capabilities.
  const held = uid === 0 ? granted : [];
  return {
    terminal: tty,
    user: { uid, gid, additionalGids: groups },
    args: argv,
    env: Object.entries(env).map(([name, value]) => `${name}=${value}`),
    cwd: absolute(workingDir ?? image.config.workingDir ?? rootFolder),
    capabilities: { bounding: granted, effective: held, permitted: held },
    noNewPrivileges: false,
  };
}

function absolute(path: string): string {
  return path.startsWith('/') ? path : `/${path}`;
}

/** The default capabilities of container engines. */
const defaultCapabilities = [
  'CAP_AUDIT_WRITE',
  'CAP_CHOWN',
  'CAP_DAC_OVERRIDE',
  'CAP_FOWNER',
  'CAP_FSETID',
  'CAP_KILL',
  'CAP_MKNOD',
  'CAP_NET_BIND_SERVICE',
  'CAP_NET_RAW',
  'CAP_SETFCAP',
  'CAP_SETGID',
  'CAP_SETPCAP',
  'CAP_SETUID',
  'CAP_SYS_CHROOT',
];

/** Capabilities of a privileged container. The runtime warns about those that this process does not have. */
const allCapabilities = [
  ...defaultCapabilities,
  'CAP_DAC_READ_SEARCH',
  'CAP_IPC_LOCK',
  'CAP_NET_ADMIN',
  'CAP_SYS_ADMIN',
  'CAP_SYS_NICE',
  'CAP_SYS_PTRACE',
];

function systemMounts(privileged: boolean): readonly object[] {
  const guarded = ['nosuid', 'noexec', 'nodev'];
  const sysfs = privileged ? guarded : [...guarded, 'ro'];
  const device = (name: string, type: string, options: readonly string[]): object => ({
    destination: `/dev/${name}`,
    type,
    source: name,
    options: ['nosuid', 'noexec', ...options],
  });
  return [
    { destination: '/proc', type: 'proc', source: 'proc', options: guarded },
    {
      destination: '/dev',
      type: 'tmpfs',
      source: 'tmpfs',
      options: ['nosuid', 'strictatime', 'mode=755', 'size=65536k'],
    },
    device('pts', 'devpts', ['newinstance', 'ptmxmode=0666', 'mode=0620', 'gid=5']),
    device('shm', 'tmpfs', ['nodev', 'mode=1777', 'size=65536k']),
    device('mqueue', 'mqueue', ['nodev']),
    { destination: '/sys', type: 'sysfs', source: 'sysfs', options: sysfs },
  ];
}

function bindOf({ source, target, readOnly }: Mount): object {
  const options = ['rbind', 'rprivate', readOnly ? 'ro' : 'rw'];
  return { destination: absolute(target), type: 'bind', source, options };
}

/** Microseconds of one scheduler period; the default of the kernel. */
const cpuPeriodUs = 100_000;
const millisPerCore = 1000;
/** Microseconds of CPU time in a period: the kernel refuses less. A kubelet raises a smaller limit to this too. */
const minQuotaUs = 1_000;

/** Microseconds of CPU time in a period; 0: no limit, as for the runtimes. */
function quotaOf(cpuMillis: number): number {
  return cpuMillis === 0 ? 0 : Math.max(minQuotaUs, (cpuMillis * cpuPeriodUs) / millisPerCore);
}

function linuxOf({ id, privileged, limits }: ContainerSpec): object {
  const { memoryBytes, cpuMillis } = limits;
  const resources = {
    devices: [{ allow: privileged, access: 'rwm' }],
    // 0: no limit, but a runtime such as crun would set it, and the kernel would kill each process.
    ...(memoryBytes === null || memoryBytes === 0 ? {} : { memory: { limit: memoryBytes } }),
    ...(cpuMillis === null ? {} : { cpu: { period: cpuPeriodUs, quota: quotaOf(cpuMillis) } }),
  };
  const namespaces = ['pid', 'mount', 'ipc', 'uts'].map((type) => ({ type }));
  const hidden = privileged ? {} : { maskedPaths, readonlyPaths };
  return { cgroupsPath: `/lifehook/${id}`, resources, namespaces, ...hidden };
}

/** Paths that reveal data about the machine. */
const maskedPaths = [
  '/proc/acpi',
  '/proc/asound',
  '/proc/kcore',
  '/proc/keys',
  '/proc/latency_stats',
  '/proc/timer_list',
  '/proc/timer_stats',
  '/proc/sched_debug',
  '/proc/scsi',
  '/sys/firmware',
];

const readonlyPaths = ['/proc/bus', '/proc/fs', '/proc/irq', '/proc/sys', '/proc/sysrq-trigger'];
