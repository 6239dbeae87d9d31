import { root } from '@svcforms/test-kit';
import { writeFileSync } from 'node:fs';
import sharp from 'sharp';

/**
 * Writes a screenshot as a PNG with a palette, which is about a third of what Chromium writes.
 * Throws if it has more than `most` bytes.
 */
export async function saveScreenshot(path: string, screenshot: Buffer, most: number): Promise<void> {
  // Dithering would add noise to flat areas, which makes the file larger.
  const png = await sharp(screenshot)
    .png({ palette: true, quality: 90, dither: 0, effort: 10, compressionLevel: 9 })
    .toBuffer();
  writeFileSync(path, png);
  const bytes = png.length;
  if (bytes > most) throw new Error(`${path} has ${bytes} bytes, more than ${most}`);
  console.log(`${path.slice(root.length)} ${bytes} bytes`);
}
