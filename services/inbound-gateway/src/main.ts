import { runService } from '@svcforms/service-runner';
import { createInboundGateway } from './service.ts';

runService('inbound-gateway', ['bus', 'secretBox'], (deps) => createInboundGateway(deps));
