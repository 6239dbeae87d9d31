import type { PublicForm } from '@svcforms/contracts';

/**
 * Whether the popup targets this device, judged by the device and its pointer rather than by the
 * width of the window.
 */
export function isForThisDevice(devices: NonNullable<PublicForm['popup']>['devices']): boolean {
  return !devices || devices === 'all' || (devices === 'mobile') === isMobile();
}

export function isMobile(): boolean {
  return /Mobi|Android/.test(navigator.userAgent) || matchMedia('(pointer:coarse)').matches;
}
