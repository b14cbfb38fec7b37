/**
 * The software bill of materials (CycloneDX 1.5, JSON) of the package: the program and the packages that are compiled
 * into it. That of the image has the base in addition. The same input gives the same text, so it has no serial number
 * and no time. Pure.
 */

/** File name in the directory of the build. */
export const SBOM_FILE = 'sbom.cdx.json';

/** An entry of npm's lock file. */
export interface LockedPackage {
  readonly version?: string;
  readonly integrity?: string;
  readonly license?: string;
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

export interface Sbom {
  readonly bomFormat: 'CycloneDX';
  readonly specVersion: '1.5';
  readonly version: 1;
  readonly metadata: { readonly component: Component };
  readonly components: readonly Component[];
}

export interface PackageSbomInput {
  readonly version: string;
  /** Keyed by path: "node_modules/ws". */
  readonly locked: Readonly<Record<string, LockedPackage>>;
  /** Paths of the compiled-in packages. */
  readonly bundled: readonly string[];
}

/** Throws for a package that is not in the lock file. */
export function packageSbom({ version, locked, bundled }: PackageSbomInput): Sbom {
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: { component: { type: 'application', name: 'lifehook', version } },
    components: bundled.map((path) => {
      const found = locked[path];
      if (found === undefined) throw new Error(`package-lock.json has no ${path}: run npm ci`);
      return compiledIn(path, found);
    }),
  };
}

export function sbomText(sbom: Sbom): string {
  return `${JSON.stringify(sbom, null, 2)}\n`;
}

function compiledIn(
  path: string,
  { version = '', integrity = '', license }: LockedPackage,
): Component {
  const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
  const licenses = license === undefined ? {} : { licenses: [{ expression: license }] };
  return { type: 'library', ...npmPart({ name, version, integrity }), ...licenses };
}

export interface NpmPart {
  readonly name: string;
  readonly version: string;
  /** Hash of the package in npm's form: "sha512-…". */
  readonly integrity: string;
}

function npmPart({ name, version, integrity }: NpmPart): Omit<Component, 'type'> {
  const content = Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex');
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
  return { name, version, purl, hashes: [{ alg: 'SHA-512', content }] };
}

/** A file in the base, with the Debian package that it is from. */
export interface BaseFile {
  readonly path: string;
  /** Hexadecimal. */
  readonly sha256: string;
  /** Absent: no package has the file. */
  readonly from?: { readonly name: string; readonly version: string };
}

export type ImageBase =
  | { readonly kind: 'image'; readonly name: string }
  | { readonly kind: 'own'; readonly node: NpmPart; readonly files: readonly BaseFile[] };

export function imageSbom(ofPackage: Sbom, base: ImageBase): Sbom {
  return { ...ofPackage, components: [...ofPackage.components, ...baseParts(base)] };
}

function baseParts(base: ImageBase): Component[] {
  if (base.kind === 'image') {
    const [name = '', version = ''] = base.name.split('@');
    return [{ type: 'container', name, version, hashes: [sha256(version.replace('sha256:', ''))] }];
  }
  const node: Component = { type: 'platform', ...npmPart(base.node) };
  return [node, ...base.files.map(filePart)];
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
