import { describeUnless } from '@svcforms/test-kit';
import { componentOverlay } from './component-overlay.ts';
import {
  lacksHelm,
  lacksKubectl,
  lacksKubeScore,
  objectionsTo,
  renderChart,
  renderOverlay,
} from './programs.ts';

const all = (...lacks: string[]) => lacks.filter(Boolean).join('; ');

describeUnless(all(lacksKubectl, lacksKubeScore), 'kube-score', () => {
  it.each(['local', 'production'])('finds nothing critical in overlays/%s', async (overlay) => {
    expect(await objectionsTo(await renderOverlay(`k8s/overlays/${overlay}`))).toEqual([]);
  });

  it.each(['gateway-api', 'outbound-proxy', 'backup-volume'])(
    'finds nothing critical in components/%s',
    async (component) => {
      expect(await objectionsTo(await renderOverlay(componentOverlay(component)))).toEqual([]);
    },
  );
});

describeUnless(all(lacksHelm, lacksKubeScore), 'kube-score', () => {
  it('finds nothing critical in the Helm chart', async () => {
    // The pod of `helm test` runs for a second and has nothing to probe.
    const manifests = (await renderChart()).split('\n---\n').filter((text) => !text.includes('helm.sh/hook'));
    expect(await objectionsTo(manifests.join('\n---\n'))).toEqual([]);
  });
});
