/** A resolver for one connection that asks about each address, so that the connection goes to one that was judged. */
import { lookup } from 'node:dns';
import * as net from 'node:net';

import type { RefuseAddress } from './platform.ts';
import { posixError } from './posix-error.ts';

interface Judged {
  readonly lookup?: net.LookupFunction;
}

/**
 * Spread into the options of a connection; empty: nothing is judged. Throws EACCES for a refused address that stands in
 * place of a name, which no resolver is asked about.
 */
export function judgedLookup(hostname: string, whyRefused: RefuseAddress | undefined): Judged {
  if (whyRefused === undefined) return {};
  const host = hostname.replace(/^\[(.*)\]$/u, '$1');
  if (net.isIP(host) !== 0) {
    const refusal = refusalOf(host, [host], whyRefused);
    if (refusal !== null) throw refusal;
    return {};
  }
  return {
    lookup: (name, options, done) => {
      lookup(name, { ...options, all: true }, (error, found) => {
        if (error !== null) {
          done(error, []);
          return;
        }
        const refusal = refusalOf(
          name,
          found.map(({ address }) => address),
          whyRefused,
        );
        const [{ address, family } = { address: '', family: 0 }] = found;
        if (refusal !== null) done(refusal, []);
        else if (options.all === true) done(null, found);
        else done(null, address, family);
      });
    },
  };
}

function refusalOf(
  host: string,
  addresses: readonly string[],
  whyRefused: RefuseAddress,
): NodeJS.ErrnoException | null {
  for (const address of addresses) {
    const what = whyRefused(address);
    if (what === null) continue;
    const leads = address === host ? `${host} is` : `${host} leads to ${address},`;
    return posixError('EACCES', `${leads} ${what}, where no hook may go`);
  }
  return null;
}
