import sharp from 'sharp'
import { type Palette, palettes } from './palettes.ts'
import { portrait } from './portrait.ts'
import { random } from './random.ts'
import { type Size, scenes } from './scenes.ts'

export type PictureOrder = Size & {
  readonly scene: keyof typeof scenes
  readonly palette: keyof typeof palettes
  readonly seed: number
}

/** Draws one of the demo's pictures as JPEG, with a little grain so that it reads as a print. */
export async function drawPicture({ scene, palette, seed, width, height }: PictureOrder): Promise<Buffer> {
  const inside = scenes[scene](random(seed), palettes[palette], { width, height })
  return render(inside, { width, height })
}

/** Draws an avatar as JPEG. */
export async function drawPortrait(palette: keyof typeof palettes, seed: number, side = 512): Promise<Buffer> {
  const colors: Palette = palettes[palette]
  return render(portrait(random(seed), colors, side), { width: side, height: side })
}

async function render(inside: string, { width, height }: Size): Promise<Buffer> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">${inside}</svg>`
  const grain = await sharp({
    create: {
      width: 256,
      height: 256,
      channels: 3,
      background: '#808080',
      noise: { type: 'gaussian', mean: 128, sigma: 18 },
    },
  })
    .png({ compressionLevel: 0 })
    .toBuffer()
  return sharp(Buffer.from(svg))
    .composite([{ input: grain, tile: true, blend: 'soft-light' }])
    .jpeg({ quality: 84, mozjpeg: false })
    .toBuffer()
}
