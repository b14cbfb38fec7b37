/** The files in /etc that the node provides to every container, in place of those of its image. */
import { encodeUtf8 } from '../../../../src/platform/byte-text.ts';
import type { ContainerSpec, Mount } from '../../../../src/platform/container-runtime.ts';
import type { Files } from '../../../../src/platform/platform.ts';

const fileMode = 0o644;

/** Writes them to the container's directory. The address of the pod is in POD_IP, if there is one. */
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

/** Containers share the machine's network, and so its DNS configuration. */
async function resolverOf(files: Files): Promise<string> {
  try {
    return await files.read('/etc/resolv.conf');
  } catch {
    return '';
  }
}
