/** Checks the facts about this machine. */
import { shellWords } from '../../../model/shell-words.ts';
import type { Check, Place, StrayProcess } from '../facts.ts';
import { amount, type Finding } from '../finding.ts';

/** Equal to `engines` in package.json; a test compares them. */
export const OLDEST_NODE = '20.19.0';

export const nodeVersion: Check = ({ local }) => {
  const check = 'Node';
  const found = `Node ${local.nodeVersion}`;
  if (isAtLeast(local.nodeVersion, OLDEST_NODE)) return [{ check, result: 'ok', found }];
  const next = `Install Node ${OLDEST_NODE} or later: nothing is tested with an older one.`;
  return [{ check, result: 'error', found: `${found}; ${OLDEST_NODE} is required`, next }];
};

function isAtLeast(version: string, oldest: string): boolean {
  const [ours, least] = [version, oldest].map((text) => text.split('.').map(Number));
  for (const [index, part] of (least ?? []).entries()) {
    const own = ours?.[index] ?? 0;
    if (own !== part) return own > part;
  }
  return true;
}

/** Maximum skew between kubectl and the server that Kubernetes supports, in minor releases. */
const SKEW_MAX = 1;

export const kubectlSkew: Check = ({ local, cluster }) => {
  const check = 'kubectl';
  const { kubectl } = local;
  if (kubectl === null) {
    const next = 'Install kubectl: `lifehook deploy` and `lifehook run` start it.';
    return [{ check, result: 'warning', found: 'kubectl is not on the PATH', next }];
  }
  const { path, version } = kubectl;
  if (version === null) {
    const next = `Run \`${shellWords([path, 'version', '--client'])}\` to see why.`;
    return [{ check, result: 'warning', found: `${path} prints no version`, next }];
  }
  const found = `kubectl ${version.text}`;
  if (cluster.kind !== 'reached') return [{ check, result: 'ok', found }];
  const server = cluster.version;
  const between = `${found}, server ${server.text}`;
  const skew = Math.abs(server.minor - version.minor);
  if (server.major === version.major && skew <= SKEW_MAX) {
    return [{ check, result: 'ok', found: between }];
  }
  const next = `Install kubectl ${server.major}.${server.minor}: it may be at most ${SKEW_MAX} minor release away from the server.`;
  return [{ check, result: 'warning', found: `${between}: ${skew} minor releases apart`, next }];
};

export const strayProcesses: Check = ({ local }) => {
  const check = 'processes';
  if (local.strays.length === 0) {
    return [
      { check, result: 'ok', found: 'no process of a stopped local cluster is still running' },
    ];
  }
  const folders = [...new Set(local.strays.map(({ folder }) => folder))];
  return folders.map((folder) => strayFinding(local.strays.filter((one) => one.folder === folder)));
};

const STRAYS: Readonly<Record<StrayProcess['role'], string>> = {
  pod: 'containers of a local cluster that does not run',
  cluster: 'a local cluster whose state directory was removed',
  container: 'a container whose directory was removed',
};

function strayFinding(strays: readonly StrayProcess[]): Finding {
  const [{ role, folder, isThere }] = strays as readonly [StrayProcess];
  const pids = strays.map(({ pid }) => pid).join(', ');
  const next = isThere
    ? shellWords(['lifehook', 'down', '--state-dir', folder])
    : `kill ${pids.replaceAll(',', '')}`;
  const found = `${STRAYS[role]} (${folder}): process ${pids}`;
  return { check: 'processes', result: 'warning', found, next };
}

const MIB = 1_048_576;
/** Bytes of free space below which a write may soon fail. */
const LOW_BYTES = 512 * MIB;
const EXHAUSTED_BYTES = 32 * MIB;

export const diskSpace: Check = ({ local }) => local.places.map(placeFinding);

function placeFinding(place: Place): Finding {
  const { role, path, refused, freeBytes, totalBytes, used } = place;
  const check = 'disk';
  if (refused !== null) {
    const next =
      refused === 'ENOTDIR'
        ? 'Remove the file in the place of the directory, or choose another directory.'
        : 'Make the directory readable and writable for this user, or choose another one.';
    const found = `the ${role} cannot be read and written: ${path} (${refused})`;
    return { check, result: 'warning', found, next };
  }
  const free = `${amount(freeBytes)} of ${amount(totalBytes)} free`;
  const found = `${role}: ${path}, ${usedText(used)}, ${free}`;
  if (freeBytes >= LOW_BYTES) return { check, result: 'ok', found };
  const next = 'Delete files on that file system: if it is full, nothing can be stored there.';
  return { check, result: freeBytes < EXHAUSTED_BYTES ? 'error' : 'warning', found, next };
}

function usedText(used: Place['used']): string {
  if (used === null) return 'nothing yet';
  const { bytes, files, isWhole } = used;
  return `${isWhole ? '' : 'more than '}${amount(bytes)} in ${files} files`;
}
