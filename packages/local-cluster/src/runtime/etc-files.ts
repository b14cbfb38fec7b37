/** The files of /etc that every container gets from its node, whatever its image holds. */
import { encodeUtf8 } from '../../../../src/platform/byte-text.ts';
import type { ContainerSpec, Mount } from '../../../../src/platform/container-runtime.ts';
import type { Files } from '../../../../src/platform/platform.ts';

const fileMode = 0o644;

/** They lie in the container's folder; a pod that has an address is told it by POD_IP. */
export async function writeEtcFiles(
  files: Files,
  folder: string,
  { hostname, env }: Pick<ContainerSpec, 'hostname' | 'env'>,
): Promise<readonly Mount[]> {
  const address = env['POD_IP'] ?? '127.0.0.1';
  const contents = {
    hosts: `127.0.0.1\tlocalhost\n::1\tlocalhost ip6-localhost ip6-loopback\n${address}\t${hostname}\n`,
    hostname: `${hostname}\n`,
    'resolv.conf': await resolverOf(files),
  };
  const mounts: Mount[] = [];
  for (const [name, text] of Object.entries(contents)) {
    const source = `${folder}/etc-${name}`;
    await files.replace(source, encodeUtf8(text), { mode: fileMode });
    mounts.push({ name, source, target: `/etc/${name}`, readOnly: false });
  }
  return mounts;
}

/** The network is the machine's, and so are its names. */
async function resolverOf(files: Files): Promise<string> {
  try {
    return await files.read('/etc/resolv.conf');
  } catch {
    return '';
  }
}
