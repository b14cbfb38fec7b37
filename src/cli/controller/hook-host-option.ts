import { Option } from 'commander';

/** `--allow-hook-host`; its values are judged where they are used. */
export function hookHostOption(): Option {
  return new Option(
    '--allow-hook-host <host...>',
    'hosts besides the hooked pod for httpGet and tcpSocket: names, *.names, ranges',
  ).default([], 'none');
}
