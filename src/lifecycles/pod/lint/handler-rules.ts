/** Lint rules for the handlers of lifecycle hooks, of every kind. Pure. */
import { fieldsAt, listAt, numberAt, textAt } from '../../../kube/fields.ts';
import { resolvePort } from '../probe.ts';
import type { Finding, LintSettings, LintedHook } from './hooks-in.ts';

const KINDS = ['exec', 'httpGet', 'tcpSocket', 'sleep'];

/** The first minor version in which hooks use scheme and headers as probes do. */
const CONSISTENT_HTTP_MINOR = 25;

export function handlerRules(linted: LintedHook, settings: LintSettings): readonly Finding[] {
  const { hook, path, where } = linted;
  const kinds = KINDS.filter((kind) => hook[kind] !== undefined);
  if (kinds.length !== 1) {
    const received = kinds.length === 0 ? 'none' : kinds.join(' and ');
    return [
      {
        code: 'LHP010',
        severity: 'error',
        path,
        message: `${where}: a hook has exactly one of ${KINDS.join(', ')}, but this one has ${received}.`,
        next: 'Give the hook exactly one of them.',
      },
    ];
  }
  return [
    ...graceZeroRule(linted),
    ...probeGraceRule(linted),
    ...tcpRule(linted),
    ...httpRules(linted, settings),
  ];
}

function graceZeroRule({ point, podSpec, path, where }: LintedHook): Finding[] {
  if (point !== 'preStop' || numberAt(podSpec['terminationGracePeriodSeconds']) !== 0) return [];
  return [
    {
      code: 'LHP011',
      severity: 'warning',
      path,
      message: `${where}: with terminationGracePeriodSeconds 0 a preStop hook runs only if a deletion or a probe sets a longer grace period.`,
      next: 'Raise terminationGracePeriodSeconds, or remove the hook.',
    },
  ];
}

/** POD-K12: the grace period of a probe also limits the preStop hook. */
function probeGraceRule({ point, hook, container, containerPath, where }: LintedHook): Finding[] {
  const seconds = numberAt(fieldsAt(hook['sleep'])['seconds']) ?? 0;
  if (point !== 'preStop') return [];
  return ['livenessProbe', 'startupProbe'].flatMap((probe) => {
    const grace = numberAt(fieldsAt(container[probe])['terminationGracePeriodSeconds']);
    if (grace === undefined || grace >= seconds) return [];
    return [
      {
        code: 'LHP012',
        severity: 'warning',
        path: [...containerPath, probe, 'terminationGracePeriodSeconds'],
        message: `${where}: after a failed ${probe} the container has ${grace} s to stop, but the sleep alone takes ${seconds} s.`,
        next: 'Raise the grace period of the probe, if the sleep matters in that case.',
      } satisfies Finding,
    ];
  });
}

/** POD-K24: the API accepts a `tcpSocket` hook, but the hook always fails. */
function tcpRule({ hook, path, where }: LintedHook): Finding[] {
  if (hook['tcpSocket'] === undefined) return [];
  return [
    {
      code: 'LHP013',
      severity: 'error',
      path: [...path, 'tcpSocket'],
      message: `${where}: tcpSocket is accepted by the API, but always fails when it is run.`,
      next: 'Use exec or httpGet.',
    },
  ];
}

function httpRules(linted: LintedHook, settings: LintSettings): Finding[] {
  if (linted.hook['httpGet'] === undefined) return [];
  return [
    ...statusRule(linted),
    ...hostRule(linted),
    ...portRule(linted),
    ...oldHttpRule(linted, settings),
  ];
}

/** POD-K14: a kubelet takes any HTTP status for a success. */
function statusRule({ path, where }: LintedHook): Finding[] {
  return [
    {
      code: 'LHP014',
      severity: 'warning',
      path: [...path, 'httpGet'],
      message: `${where}: the HTTP status code is ignored; 404 and 500 count as success.`,
      next: 'If it must be checked, use exec with a client that fails on such answers.',
    },
  ];
}

/** POD-K17: the node sends the request, so a loopback host is the node itself. */
function hostRule({ hook, path, where }: LintedHook): Finding[] {
  const host = textAt(fieldsAt(hook['httpGet'])['host']);
  if (!/^(localhost|127\.\d+\.\d+\.\d+|::1)$/.test(host)) return [];
  return [
    {
      code: 'LHP015',
      severity: 'warning',
      path: [...path, 'httpGet', 'host'],
      message: `${where}: the request leaves from the node, so ${host} is the node and not the container.`,
      next: 'Leave host out: the request then goes to the pod.',
    },
  ];
}

/** POD-K18: a port must be a number or the name of a port of this container. */
function portRule({ hook, container, path, where }: LintedHook): Finding[] {
  const port = fieldsAt(hook['httpGet'])['port'];
  if (typeof port !== 'number' && typeof port !== 'string') return [];
  const ports = listAt(container['ports']).map((item) => ({
    name: textAt(fieldsAt(item)['name']),
    containerPort: numberAt(fieldsAt(item)['containerPort']) ?? 0,
  }));
  const resolved = resolvePort(port, { name: textAt(container['name']), ports });
  if (typeof resolved === 'number') return [];
  return [
    {
      code: 'LHP016',
      severity: 'error',
      path: [...path, 'httpGet', 'port'],
      message: `${where}: ${resolved}.`,
      next: "Write a number, or the name of one of the container's ports.",
    },
  ];
}

/** POD-K20, POD-K21: nodes older than 1.25 ignore the scheme and the headers of a hook. */
function oldHttpRule({ hook, path, where }: LintedHook, { serverMinor }: LintSettings): Finding[] {
  if (serverMinor === null || serverMinor >= CONSISTENT_HTTP_MINOR) return [];
  const { scheme, httpHeaders } = fieldsAt(hook['httpGet']);
  const ignored = [
    ...(scheme === 'HTTPS' ? ['scheme'] : []),
    ...(listAt(httpHeaders).length > 0 ? ['httpHeaders'] : []),
  ];
  return ignored.map((field) => ({
    code: 'LHP017',
    severity: 'warning',
    path: [...path, 'httpGet', field],
    message: `${where}: nodes of 1.${serverMinor} ignore ${field} of a hook and send a plain request.`,
    next: `Do not rely on it before 1.${CONSISTENT_HTTP_MINOR}.`,
  }));
}
