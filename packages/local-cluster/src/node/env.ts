/** Builds the environment of a container as Kubernetes does. Pure: ConfigMaps and Secrets are already read. */
import type { Container, EnvVar, Pod, Service, ServicePort } from 'kubernetes-types/core/v1.js';

import { StartError } from '../../../../src/platform/container-runtime.ts';
import { fieldValue, type NodeAmounts, resourceValue } from './downward.ts';
import { referenceTo, type SourceReference, type Sources } from './sources.ts';

export interface EnvFacts {
  readonly pod: Pod;
  readonly container: Container;
  readonly podIp: string;
  readonly hostIp: string;
  readonly node: NodeAmounts;
  readonly sources: Sources;
  /** All services of the cluster. The container gets the addresses of some of them as variables. */
  readonly services: readonly Service[];
  readonly imageEnv: Readonly<Record<string, string>>;
}

/**
 * The environment of a container. Variables of later sources win: image, node, services, `envFrom` in order, `env` in
 * order.
 */
export function containerEnv(facts: EnvFacts): Readonly<Record<string, string>> {
  const { container, imageEnv } = facts;
  const env: Record<string, string> = { ...imageEnv, ...ownEnv(facts), ...serviceEnv(facts) };
  const { envFrom = [], env: variables = [] } = container;
  for (const from of envFrom) Object.assign(env, allOf(from, facts));
  for (const variable of variables) {
    const value = valueOf(variable, facts, env);
    if (value !== undefined) env[variable.name] = value;
  }
  return env;
}

/** Variables with the pod's own address. Plain processes share the host, so they must listen on that address. */
function ownEnv({ pod, podIp }: EnvFacts): Record<string, string> {
  return { HOSTNAME: hostnameOf(pod), POD_IP: podIp, HOST: podIp };
}

export function hostnameOf({ spec, metadata }: Pod): string {
  return spec?.hostname ?? metadata?.name ?? '';
}

/** The ConfigMaps and Secrets that the environment refers to. */
export function envReferences({ env = [], envFrom = [] }: Container): readonly SourceReference[] {
  return [
    ...envFrom.flatMap(({ configMapRef, secretRef }) => [
      ...referenceTo('configmap', configMapRef?.name),
      ...referenceTo('secret', secretRef?.name),
    ]),
    ...env.flatMap(({ valueFrom }) => [
      ...referenceTo('configmap', valueFrom?.configMapKeyRef?.name),
      ...referenceTo('secret', valueFrom?.secretKeyRef?.name),
    ]),
  ];
}

type EnvFrom = NonNullable<Container['envFrom']>[number];

function allOf(
  { configMapRef, secretRef, prefix = '' }: EnvFrom,
  { sources }: EnvFacts,
): Record<string, string> {
  const kind = configMapRef === undefined ? 'secret' : 'configmap';
  const source = configMapRef ?? secretRef;
  const name = source?.name ?? '';
  const data = sources.data({ kind, name });
  if (data === undefined) {
    if (source?.optional === true) return {};
    throw notFound(kind, name);
  }
  const decoder = new TextDecoder();
  return Object.fromEntries(
    [...data].map(([key, bytes]) => [`${prefix}${key}`, decoder.decode(bytes)]),
  );
}

function valueOf(
  { name, value, valueFrom }: EnvVar,
  facts: EnvFacts,
  env: Readonly<Record<string, string>>,
): string | undefined {
  if (valueFrom === undefined) return expand(value ?? '', env);
  const { fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef } = valueFrom;
  if (fieldRef !== undefined) return fieldValue(fieldRef.fieldPath, facts);
  if (resourceFieldRef !== undefined) return resourceValue(resourceFieldRef, facts);
  if (configMapKeyRef !== undefined) return keyValue('configmap', configMapKeyRef, facts);
  if (secretKeyRef !== undefined) return keyValue('secret', secretKeyRef, facts);
  throw new StartError('CreateContainerConfigError', `env ${name}: valueFrom names no source`);
}

function keyValue(
  kind: SourceReference['kind'],
  { name = '', key, optional }: { name?: string; key: string; optional?: boolean },
  { sources, pod }: EnvFacts,
): string | undefined {
  const text = sources.text({ kind, name }, key);
  if (text !== undefined || optional === true) return text;
  if (sources.data({ kind, name }) === undefined) throw notFound(kind, name);
  const noun = kind === 'secret' ? 'Secret' : 'ConfigMap';
  const where = `${noun} ${pod.metadata?.namespace ?? ''}/${name}`;
  throw new StartError('CreateContainerConfigError', `couldn't find key ${key} in ${where}`);
}

function notFound(kind: string, name: string): StartError {
  return new StartError('CreateContainerConfigError', `${kind} "${name}" not found`);
}

/**
 * Variables such as `REDIS_SERVICE_HOST` and the older link variables. They cover the API server's service and, unless
 * `enableServiceLinks` is false, the services with an address in the pod's namespace. Pure.
 */
function serviceEnv({ pod: { metadata, spec }, services }: EnvFacts): Record<string, string> {
  const env: Record<string, string> = {};
  for (const service of services.filter(isApiServer)) Object.assign(env, envOf(service));
  if (spec?.enableServiceLinks === false) return env;
  const own = services.filter((service) => service.metadata?.namespace === metadata?.namespace);
  for (const service of own) Object.assign(env, envOf(service));
  return env;
}

function isApiServer({ metadata }: Service): boolean {
  return metadata?.namespace === 'default' && metadata.name === 'kubernetes';
}

function envOf({ metadata = {}, spec = {} }: Service): Record<string, string> {
  const { clusterIP: ip = 'None', ports = [] } = spec;
  const [first] = ports;
  if (ip === 'None' || ip === '' || first === undefined) return {};
  const name = upper(metadata.name ?? '');
  const env: Record<string, string> = {
    [`${name}_SERVICE_HOST`]: ip,
    [`${name}_SERVICE_PORT`]: String(first.port),
    [`${name}_PORT`]: urlOf(ip, first),
  };
  for (const port of ports) Object.assign(env, portEnv(name, ip, port));
  return env;
}

function portEnv(service: string, ip: string, servicePort: ServicePort): Record<string, string> {
  const { name, port, protocol = 'TCP' } = servicePort;
  const link = `${service}_PORT_${port}_${protocol}`;
  return {
    ...(name === undefined ? {} : { [`${service}_SERVICE_PORT_${upper(name)}`]: String(port) }),
    [link]: urlOf(ip, servicePort),
    [`${link}_PROTO`]: protocol.toLowerCase(),
    [`${link}_PORT`]: String(port),
    [`${link}_ADDR`]: ip,
  };
}

function urlOf(ip: string, { port, protocol = 'TCP' }: ServicePort): string {
  return `${protocol.toLowerCase()}://${ip}:${port}`;
}

function upper(name: string): string {
  return name.toUpperCase().replaceAll('-', '_');
}

/**
 * Replaces `$(NAME)` in values, commands and arguments. An unknown name stays unchanged, and `$$(NAME)` becomes the
 * text `$(NAME)`.
 */
export function expand(text: string, env: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\$\$|\$\(([^)]*)\)/g, (found, name: string | undefined) => {
    if (found === '$$') return '$';
    return name !== undefined && Object.hasOwn(env, name) ? (env[name] ?? found) : found;
  });
}
