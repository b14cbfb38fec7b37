/** The software bill of materials of the image: that of the package, plus the base. Pure. */
import { type Component, type NpmPart, npmPart, type Sbom } from './package-sbom.ts';

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
