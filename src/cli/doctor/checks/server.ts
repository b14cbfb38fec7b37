/** Checks whether the API server answers, its version, and its clock. */
import { shellWords } from '../../../model/shell-words.ts';
import type { Check, ReachedCluster } from '../facts.ts';
import { type Finding, span } from '../finding.ts';
import { requireSupportedServer } from '../../controller/supported-server.ts';
import { LifehookError } from '../../../model/problem.ts';

export const kubeconfig: Check = ({ cluster }) => {
  const check = 'kubeconfig';
  switch (cluster.kind) {
    case 'none':
      return [noKubeconfig(check, cluster.localKubeconfig)];
    case 'unusable':
      return cluster.problems.map(({ message, next }) => ({
        check,
        result: 'error',
        found: message,
        next,
      }));
    case 'unreachable':
    case 'reached':
      return [{ check, result: 'ok', found: cluster.source }];
    default:
      return cluster satisfies never;
  }
};

function noKubeconfig(check: string, local: string | null): Finding {
  const what = 'there is no kubeconfig: only this machine was checked';
  if (local === null) {
    const next = 'Run `lifehook up` for a local cluster, or name a file with --kubeconfig.';
    return { check, result: 'warning', found: what, next };
  }
  const found = `${what}, though a local cluster runs`;
  return { check, result: 'warning', found, next: `export KUBECONFIG=${shellWords([local])}` };
}

export const reachable: Check = ({ cluster }) => {
  const check = 'server';
  if (cluster.kind === 'reached') {
    const { server, clock } = cluster;
    const found = `${server} answered in ${Math.max(1, Math.round(clock.roundTripMs))} ms`;
    return [{ check, result: 'ok', found }];
  }
  if (cluster.kind !== 'unreachable') return [];
  if (cluster.isRefused === true) {
    const refused = `${cluster.server} refuses the credentials: ${cluster.why}`;
    const renew = `Log in again to renew the credentials of ${cluster.source}, or choose another context with --context.`;
    return [{ check, result: 'error', found: refused, next: renew }];
  }
  const found = `${cluster.server} cannot be used: ${cluster.why}`;
  const next = `Check whether it runs and can be reached from here, and whether ${cluster.source} is the one that you mean; --context chooses another.`;
  return [{ check, result: 'error', found, next }];
};

export const serverVersion: Check = ({ cluster }) => {
  const check = 'server version';
  if (cluster.kind !== 'reached') return [];
  try {
    const warning = requireSupportedServer(cluster.version);
    if (warning === null) return [{ check, result: 'ok', found: cluster.version.text }];
    const next = 'Upgrade the cluster if you can; docs/install.md has the tested releases.';
    return [{ check, result: 'warning', found: warning.replace(/\.$/u, ''), next }];
  } catch (error) {
    if (!(error instanceof LifehookError)) throw error;
    return error.problems.map(({ message, next }) => ({
      check,
      result: 'error',
      found: message.replace(/\.$/u, ''),
      next,
    }));
  }
};

/** Milliseconds of difference that are tolerated: a Date header has whole seconds, and an answer takes time. */
const SKEW_MS = 5_000;

export const clockSkew: Check = ({ cluster }) => {
  if (cluster.kind !== 'reached') return [];
  return [serverClock(cluster), ...controllerClock(cluster)];
};

function serverClock({ clock }: ReachedCluster): Finding {
  const check = 'clock';
  const { localMs, serverMs, roundTripMs } = clock;
  if (serverMs === null) {
    const next = 'Compare `date` here with that of the server.';
    return { check, result: 'warning', found: 'the server sends no Date header', next };
  }
  const skew = localMs - roundTripMs / 2 - (serverMs + 500);
  if (Math.abs(skew) <= SKEW_MS) {
    return {
      check,
      result: 'ok',
      found: `this machine and the server differ by ${skewText(skew)}`,
    };
  }
  const found = `this machine is ${span(skew)} ${skew > 0 ? 'ahead of' : 'behind'} the server`;
  const next =
    'Synchronize the clocks with NTP: ages and the validity of certificates depend on them.';
  return { check, result: 'warning', found, next };
}

/** The difference in whole seconds: a Date header has no milliseconds. */
function skewText(skewMs: number): string {
  return Math.abs(skewMs) < 1_500 ? 'less than 2 s' : span(skewMs);
}

/**
 * Compares the controller's clock with the server's. The controller writes the renewal time of the Lease by its own
 * clock. If that time is older than the Lease duration, the controller's clock is behind; if it is in the future,
 * ahead.
 */
function controllerClock({ clock, controllers }: ReachedCluster): Finding[] {
  const { renewed, renewalSeenMs } = controllers;
  const { spec } = renewed ?? {};
  if (spec?.renewTime === undefined || clock.serverMs === null) return [];
  const { leaseDurationSeconds = 15, holderIdentity = '?' } = spec;
  const seenMs = clock.serverMs + 1_000 + renewalSeenMs - clock.localMs;
  const ageMs = seenMs - Date.parse(spec.renewTime);
  const check = 'clock';
  const isBehind = ageMs > leaseDurationSeconds * 1_000 + SKEW_MS;
  if (!isBehind && ageMs >= -SKEW_MS) {
    const found = `the clock of the controller ${holderIdentity} agrees with that of the server`;
    return [{ check, result: 'ok', found }];
  }
  const found = `the clock of the controller ${holderIdentity} is about ${span(ageMs)} ${isBehind ? 'behind' : 'ahead of'} the server`;
  const next = 'Synchronize the clock of its node with NTP: freezes expire by that clock.';
  return [{ check, result: 'warning', found, next }];
}
