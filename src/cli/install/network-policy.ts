/** Who may reach the controllers, and whom they may reach. Pure. */
import type {
  NetworkPolicy,
  NetworkPolicyEgressRule,
  NetworkPolicyPeer,
  NetworkPolicyPort,
} from 'kubernetes-types/networking/v1.js';

import { addressBytes } from '../../handlers/refused-address.ts';
import {
  API_PORTS,
  type InstallOptions,
  LABELS,
  METRICS_PORT,
  NAME,
  WEBHOOK_PORT,
} from './install-options.ts';

const DNS_PORT = 53;

/**
 * In: the API server at the webhook (it is no pod, so no selector names it), a scraper at the metrics. Out: the API server,
 * by its ports alone for the same reason; name servers; the pods that are hooked; the addresses that the administrator
 * has allowed (`docs/security.md`).
 */
export function networkPolicy(options: InstallOptions): NetworkPolicy {
  const { namespace, namespaced } = options;
  const ports = namespaced ? [METRICS_PORT] : [METRICS_PORT, WEBHOOK_PORT];
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { name: NAME, namespace, labels: { ...LABELS } },
    spec: {
      podSelector: { matchLabels: { ...LABELS } },
      policyTypes: ['Ingress', 'Egress'],
      ingress: [{ ports: ports.map(tcp) }],
      egress: egressOf(options),
    },
  };
}

function egressOf({
  namespaced,
  apiPorts = API_PORTS,
  hookHosts = [],
}: InstallOptions): NetworkPolicyEgressRule[] {
  const hooked: NetworkPolicyPeer = namespaced ? { podSelector: {} } : { namespaceSelector: {} };
  const allowed = hookHosts.flatMap(blockOf);
  return [
    { to: ANYWHERE, ports: apiPorts.map(tcp) },
    // Some clusters have a name server at a link-local address of each node.
    { ports: [{ port: DNS_PORT, protocol: 'UDP' }, tcp(DNS_PORT)] },
    { to: [hooked] },
    ...(allowed.length === 0 ? [] : [{ to: allowed }]),
  ];
}

/** Without the link-local addresses, where clouds hand out credentials. */
const ANYWHERE: NetworkPolicyPeer[] = [
  { ipBlock: { cidr: '0.0.0.0/0', except: ['169.254.0.0/16'] } },
  { ipBlock: { cidr: '::/0', except: ['fe80::/10'] } },
];

/** A policy knows no names: of a name there is none. */
function blockOf(entry: string): NetworkPolicyPeer[] {
  const [address = '', bits] = entry.split('/');
  const bytes = addressBytes(address);
  if (bytes === null) return [];
  return [{ ipBlock: { cidr: `${address}/${bits ?? bytes.length * 8}` } }];
}

function tcp(port: number): NetworkPolicyPort {
  return { port, protocol: 'TCP' };
}
