import { describeUnless } from '@svcforms/test-kit';
import { lacksHelm, lacksKubectl, manifestsIn, renderChart, renderOverlay } from './programs.ts';

interface IpBlock {
  cidr: string;
  except?: string[];
}

interface Policy {
  metadata: { name: string };
  spec: { egress?: { to?: { ipBlock?: IpBlock }[] }[] };
}

/**
 * The blocks of each rule that allows connections to all public IPv4 addresses, by the name of its
 * policy.
 */
function publicRules(yaml: string): [name: string, blocks: IpBlock[]][] {
  const policies = manifestsIn(yaml).filter(({ kind }) => kind === 'NetworkPolicy') as unknown as Policy[];
  return policies.flatMap(({ metadata, spec: { egress = [] } }) =>
    egress
      .map(({ to = [] }) => to.flatMap(({ ipBlock }) => ipBlock ?? []))
      .filter((blocks) => blocks.some(({ cidr }) => cidr === '0.0.0.0/0'))
      .map((blocks): [string, IpBlock[]] => [metadata.name, blocks]),
  );
}

/** The range of NAT64 for one of IPv4 addresses, in the notation that Kubernetes expects. */
function translated(cidr: string): string {
  const [address = '', bits] = cidr.split('/');
  const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number);
  return `64:ff9b::${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}/${96 + Number(bits)}`;
}

describe.each([
  {
    name: 'overlays/production',
    lacks: lacksKubectl,
    render: () => renderOverlay('k8s/overlays/production'),
  },
  { name: 'the Helm chart', lacks: lacksHelm, render: () => renderChart() },
])('the network policies of $name', ({ lacks, render }) => {
  describeUnless(lacks, 'for the public internet', () => {
    it('allow the same addresses through NAT64 as over IPv4', async () => {
      const rules = publicRules(await render());
      expect(rules.map(([name]) => name).toSorted()).toEqual([
        'to-backup-store',
        'to-listeners',
        'to-mail-server',
      ]);
      for (const [name, blocks] of rules) {
        const { except = [] } = blocks.find(({ cidr }) => cidr === '0.0.0.0/0') ?? {};
        expect({ name, blocks }).toEqual({
          name,
          blocks: expect.arrayContaining([
            { cidr: '64:ff9b::/96', except: except.map(translated) },
          ]) as unknown,
        });
      }
    });
  });
});
