/** What of an object a write counts for: all but the status, nothing but the status, or only its resources. */
export type ObjectPart = 'main' | 'status' | 'resize';

export function partOf({ subresource }: { readonly subresource: string }): ObjectPart {
  return subresource === 'status' || subresource === 'resize' ? subresource : 'main';
}
