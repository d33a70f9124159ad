import sharp from 'sharp'
import { random } from '../../../server/demo/random.ts'
import { blur, type Image } from './image.ts'
import { clamp, lerp, smoothstep, type Vector } from './vector.ts'

/** How a picture is developed: what a photographer does with a negative. */
export type Film = {
  /** In stops. */
  readonly exposure?: number
  readonly contrast?: number
  readonly saturation?: number
  /** How far the deepest shadows are lifted, as on faded prints. */
  readonly fade?: number
  /** Tints of the dark and the bright parts; gray changes nothing. */
  readonly shadows?: Vector
  readonly highlights?: Vector
  readonly grain?: number
  readonly vignette?: number
  /** How much bright parts bleed. */
  readonly glow?: number
  readonly monochrome?: boolean
  readonly quality?: number
}

/** Develops a picture and packs it as WebP. */
export function develop(image: Image, film: Film, seed: number): Promise<Buffer> {
  const { width, height } = image
  return sharp(expose(image, film, seed), { raw: { width, height, channels: 3 } })
    .webp({ quality: film.quality ?? 76, effort: 6, smartSubsample: true })
    .toBuffer()
}

/** Glow, exposure, curve, colors, vignette, grain. @returns three bytes for each pixel. */
export function expose(image: Image, film: Film, seed: number): Uint8Array {
  const { width, height } = image
  const { exposure = 0, glow = 0.06, vignette = 0.22 } = film
  const light = glow > 0 ? withGlow(image, glow) : image.pixels
  const grain = grainOf(width, height, film.grain ?? 0.022, seed)
  const out = new Uint8Array(width * height * 3)
  const gain = 2 ** exposure
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const pixel = y * width + x
      const [dx, dy] = [(x / width - 0.5) * 1.15, (y / height - 0.5) * 1.15]
      const corner = 1 - vignette * smoothstep(0.12, 0.62, dx * dx + dy * dy)
      const color = tone(
        [light[pixel * 3] * gain * corner, light[pixel * 3 + 1] * gain * corner, light[pixel * 3 + 2] * gain * corner],
        film,
      )
      const level = (color[0] + color[1] + color[2]) / 3
      const strength = grain[pixel] * (0.35 + 0.65 * (1 - Math.abs(level * 2 - 0.9)))
      for (let channel = 0; channel < 3; channel++)
        out[pixel * 3 + channel] = Math.round(clamp(color[channel] + strength) * 255)
    }
  return out
}

function withGlow(image: Image, share: number): Float32Array {
  const radius = Math.max(image.width, image.height) / 90
  const bright = { ...image, pixels: image.pixels.map((value) => Math.max(value - 0.8, 0)) }
  const near = blur(bright, radius).pixels
  const far = blur(bright, radius * 4).pixels
  return image.pixels.map((value, index) => value + share * (near[index] * 1.4 + far[index] * 1.6))
}

/** Linear light to what a screen shows, along a curve like film's: a soft shoulder, a short toe. */
function tone(light: Vector, film: Film): Vector {
  const { contrast = 1, saturation = 1, fade = 0, shadows = [0.5, 0.5, 0.5], highlights = [0.5, 0.5, 0.5] } = film
  let [r, g, b] = light.map(shoulder)
  const gray = 0.2126 * r + 0.7152 * g + 0.0722 * b
  const color = film.monochrome ? 0 : saturation
  ;[r, g, b] = [r, g, b].map((value) => lerp(gray, value, color))
  const graded = [r, g, b].map((value, channel) => {
    const curved = 0.5 + (value - 0.5) * contrast + (contrast - 1) * 0.25 * (smoothstep(0, 1, value) - value)
    const dark = (1 - smoothstep(0, 0.6, gray)) * (shadows[channel] - 0.5) * 0.3
    const bright = smoothstep(0.35, 1, gray) * (highlights[channel] - 0.5) * 0.3
    return fade + (1 - fade) * (curved + dark + bright)
  })
  return [graded[0], graded[1], graded[2]]
}

/** A fit of the curve of the Academy's film (Narkowicz, 2015), then the screen's own. */
function shoulder(value: number): number {
  const v = Math.max(value, 0) * 0.62
  const mapped = clamp((v * (2.51 * v + 0.03)) / (v * (2.43 * v + 0.59) + 0.14))
  return mapped <= 0.0031308 ? mapped * 12.92 : 1.055 * mapped ** (1 / 2.4) - 0.055
}

/** Grain in soft clumps of about a pixel and a half. */
function grainOf(width: number, height: number, strength: number, seed: number): Float32Array {
  const chance = random(seed)
  const raw = new Float32Array(width * height)
  for (let index = 0; index < raw.length; index++)
    raw[index] = (chance.between(-1, 1) + chance.between(-1, 1) + chance.between(-1, 1)) * strength
  const soft = new Float32Array(raw.length)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const at = y * width + x
      const right = x + 1 < width ? at + 1 : at
      const below = y + 1 < height ? at + width : at
      soft[at] = (raw[at] + raw[right] + raw[below]) * 0.62
    }
  return soft
}
