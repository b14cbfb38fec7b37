import type { Service, ServicePort } from 'kubernetes-types/core/v1.js';

/** `REDIS_SERVICE_HOST` and its like, and the older form with links; for services with an address. Pure. */
export function serviceEnv(services: readonly Service[]): Record<string, string> {
  const env: Record<string, string> = {};
  for (const service of services) Object.assign(env, envOf(service));
  return env;
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
