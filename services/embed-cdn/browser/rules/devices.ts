import type { Popup } from '../core/trigger.ts';

/** Whether the popup is for this device: by what it is and how it is pointed at, not by the width of a window. */
export function isForThisDevice(devices: Popup['devices']): boolean {
  return !devices || devices === 'all' || (devices === 'mobile') === isMobile();
}

export function isMobile(): boolean {
  return /Mobi|Android/.test(navigator.userAgent) || matchMedia('(pointer:coarse)').matches;
}
