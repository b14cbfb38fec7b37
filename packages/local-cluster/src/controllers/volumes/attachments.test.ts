import { describe, expect, it } from 'vitest';

import { dnsSubdomain } from '../../objects/metadata-names.ts';
import { attachmentName } from './attachments.ts';

const UID = '0b6ce5a8-6d0c-4a0b-9a52-5d0b5b7a9f11';

describe('the name of a VolumeAttachment', () => {
  it('is valid for a node name of any length, with a dot at any place', () => {
    for (let at = 1; at < 252; at += 1) {
      const node = `${'a'.repeat(at)}.${'b'.repeat(252 - at)}`;
      expect(dnsSubdomain(attachmentName(UID, node)), node).toEqual([]);
    }
  });

  it('differs for long node names that differ only at their end', () => {
    const node = 'a'.repeat(252);
    expect(attachmentName(UID, `${node}1`)).not.toBe(attachmentName(UID, `${node}2`));
  });
});
