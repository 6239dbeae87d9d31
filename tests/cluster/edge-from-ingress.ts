import { atEnd, freePort, tempFolder } from '@svcforms/test-kit';
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { getJson, type Listed } from './kubectl.ts';

interface Ingress {
  metadata: { annotations?: Record<string, string> };
  spec: { rules: { http: { paths: IngressPath[] } }[] };
}

interface IngressPath {
  path: string;
  pathType: 'Exact' | 'Prefix';
  backend: { service: { name: string; port: { name: string } } };
}

interface Service {
  metadata: { name: string };
  spec: { clusterIP: string; ports: { name: string; port: number }[] };
}

const IMAGE = 'nginx:1.28-alpine';
const PREFIX = 'nginx.ingress.kubernetes.io/';
/**
 * Annotations of ingress-nginx that map to an nginx directive of the same name, and how to write
 * their values.
 */
const DIRECTIVES: Readonly<Record<string, (value: string) => string>> = {
  'proxy-buffering': (value) => `proxy_buffering ${value};`,
  'proxy-request-buffering': (value) => `proxy_request_buffering ${value};`,
  'proxy-body-size': (value) => `client_max_body_size ${value};`,
  'proxy-connect-timeout': (value) => `proxy_connect_timeout ${value}s;`,
  'proxy-read-timeout': (value) => `proxy_read_timeout ${value}s;`,
  'proxy-send-timeout': (value) => `proxy_send_timeout ${value}s;`,
  'proxy-next-upstream': (value) => `proxy_next_upstream ${value};`,
};

/**
 * Returns one nginx location per path of each Ingress object, as ingress-nginx does. @throws for an
 * unknown annotation.
 */
function nginxConfig(ingresses: readonly Ingress[], services: readonly Service[], port: number): string {
  const locations = ingresses.flatMap(({ metadata, spec }) => {
    const directives = Object.entries(metadata.annotations ?? {})
      .filter(([name]) => name.startsWith(PREFIX))
      .map(([name, value]) => {
        const write = DIRECTIVES[name.slice(PREFIX.length)];
        if (!write) throw new Error(`unknown annotation ${name}`);
        return write(value);
      });
    return spec.rules.flatMap(({ http }) =>
      http.paths.flatMap((path) => {
        const proxy = `proxy_pass http://${addressOf(path, services)};`;
        const body = `{ ${[...directives, proxy].join(' ')} }`;
        if (path.pathType === 'Exact') return [`location = ${path.path} ${body}`];
        if (path.path === '/') return [`location / ${body}`];
        // A prefix matches whole path segments.
        return [`location = ${path.path} ${body}`, `location ${path.path}/ ${body}`];
      }),
    );
  });
  return `
    worker_processes 1;
    error_log /dev/stderr warn;
    pid /tmp/nginx.pid;
    events { worker_connections 4096; }
    http {
      access_log off;
      client_body_temp_path /tmp/body; proxy_temp_path /tmp/proxy; fastcgi_temp_path /tmp/f; uwsgi_temp_path /tmp/u; scgi_temp_path /tmp/s;
      proxy_http_version 1.1;
      proxy_set_header Host $http_host;
      proxy_set_header Connection "";
      proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
      proxy_set_header X-Forwarded-Proto $scheme;
      server { listen 127.0.0.1:${port}; ${locations.join('\n      ')} }
    }`;
}

function addressOf({ backend }: IngressPath, services: readonly Service[]): string {
  const { name, port } = backend.service;
  const service = services.find(({ metadata }) => metadata.name === name);
  const number = service?.spec.ports.find((one) => one.name === port.name)?.port;
  if (!service || !number) throw new Error(`an Ingress names ${name}:${port.name}, which does not exist`);
  return `${service.spec.clusterIP}:${number}`;
}

/**
 * Starts a reverse proxy that implements the Ingress objects of the cluster, and returns its
 * origin. It stops after the test file.
 */
export async function startEdge(namespace: string, port?: number): Promise<string> {
  const publicPort = port ?? (await freePort());
  const ingresses = await getJson<Listed<Ingress>>('ingress', '-n', namespace);
  const services = await getJson<Listed<Service>>('service', '-n', namespace);
  const file = join(tempFolder(), 'nginx.conf');
  writeFileSync(file, nginxConfig(ingresses.items, services.items, publicPort), { mode: 0o644 });
  const docker = async (...args: string[]) => (await promisify(execFile)('docker', args)).stdout.trim();
  const id = await docker(
    'run', '-d', '--network', 'host', '-v', `${file}:/etc/nginx/nginx.conf:ro`, IMAGE, 'nginx', '-g', 'daemon off;',
  ); // prettier-ignore
  atEnd(() => docker('rm', '-f', id));
  return `http://127.0.0.1:${publicPort}`;
}
