/**
 * What is in the image, as a software bill of materials (CycloneDX 1.5, JSON): the program, the packages that are compiled
 * into it, and the base. The same input gives the same text, so it has no serial number and no time. Pure.
 */

/** Of a lock file of npm. */
export interface LockedPackage {
  readonly version?: string;
  readonly integrity?: string;
  readonly license?: string;
  readonly dev?: boolean;
  readonly optional?: boolean;
}

/** A file that is copied into the base, with the package of the system that it is from. */
export interface BaseFile {
  readonly path: string;
  /** Hexadecimal. */
  readonly sha256: string;
  /** Absent: no package manager knows it. */
  readonly from?: { readonly name: string; readonly version: string };
}

export interface SbomInput {
  readonly version: string;
  /** By path: "node_modules/ws". */
  readonly packages: Readonly<Record<string, LockedPackage>>;
  readonly base:
    | { readonly kind: 'image'; readonly name: string }
    | { readonly kind: 'own'; readonly node: NodePart; readonly files: readonly BaseFile[] };
}

interface NodePart {
  readonly name: string;
  readonly version: string;
  readonly integrity: string;
}

interface Component {
  readonly type: 'application' | 'library' | 'container' | 'platform';
  readonly name: string;
  readonly version: string;
  readonly purl?: string;
  readonly hashes?: readonly { readonly alg: string; readonly content: string }[];
  readonly licenses?: readonly { readonly expression: string }[];
  readonly properties?: readonly { readonly name: string; readonly value: string }[];
}

export function sbomText({ version, packages, base }: SbomInput): string {
  const program: Component = { type: 'application', name: 'lifehook', version };
  const components = [...compiledIn(packages), ...baseParts(base)];
  const sbom = {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: { component: program },
    components,
  };
  return `${JSON.stringify(sbom, null, 2)}\n`;
}

/** Optional ones are not compiled in. */
function compiledIn(packages: SbomInput['packages']): Component[] {
  return Object.entries(packages)
    .filter(([path, { dev, optional }]) => path !== '' && dev !== true && optional !== true)
    .map(([path, { version = '', integrity = '', license }]) => {
      const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
      const licenses = license === undefined ? {} : { licenses: [{ expression: license }] };
      return { type: 'library', ...npmPart({ name, version, integrity }), ...licenses };
    });
}

function baseParts(base: SbomInput['base']): Component[] {
  if (base.kind === 'image') {
    const [name = '', version = ''] = base.name.split('@');
    return [{ type: 'container', name, version, hashes: [sha256(version.replace('sha256:', ''))] }];
  }
  const node: Component = { type: 'platform', ...npmPart(base.node) };
  return [node, ...base.files.map(filePart)];
}

function npmPart({ name, version, integrity }: NodePart): Omit<Component, 'type'> {
  const content = Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex');
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
  return { name, version, purl, hashes: [{ alg: 'SHA-512', content }] };
}

function filePart({ path, sha256: content, from }: BaseFile): Component {
  const { name = path, version = '' } = from ?? {};
  const purl = from === undefined ? {} : { purl: `pkg:deb/debian/${name}@${version}` };
  const properties = [{ name: 'lifehook:file', value: path }];
  return { type: 'library', name, version, ...purl, hashes: [sha256(content)], properties };
}

function sha256(content: string): { readonly alg: string; readonly content: string } {
  return { alg: 'SHA-256', content };
}
