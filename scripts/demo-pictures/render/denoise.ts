import type { Image } from './image.ts'

/** What each pixel shows, apart from its light. */
export type Features = { readonly albedo: Float32Array; readonly normal: Float32Array; readonly depth: Float32Array }

const rounds = 4
const kernel = [1 / 16, 1 / 4, 3 / 8, 1 / 4, 1 / 16]
const darkest = 0.04

/**
 * Smooths the light that falls on things, and not their patterns and edges (an à-trous filter that is guided by features and by how
 * uncertain each pixel is, after SVGF). @param squares the mean of each pixel's squared brightness.
 */
export function denoise(image: Image, features: Features, squares: Float32Array, paths: number): Image {
  const { width, height } = image
  const count = width * height
  const albedo = features.albedo.map((value) => Math.max(value, darkest))
  let light = withoutSparks(image).map((value, index) => value / albedo[index])
  let doubt = firstDoubt(image, squares, albedo, paths)
  for (let round = 0; round < rounds; round++) {
    const step = 2 ** round
    const smoothed = new Float32Array(count * 3)
    const doubts = new Float32Array(count)
    for (let y = 0; y < height; y++)
      for (let x = 0; x < width; x++)
        smoothPixel(x, y, step, width, height, light, doubt, albedo, features, smoothed, doubts)
    light = smoothed
    doubt = doubts
  }
  return { width, height, pixels: light.map((value, index) => value * albedo[index]) }
}

/** A pixel that outshines all of its neighbors is chance: it is brought down to the third of them. */
function withoutSparks({ width, height, pixels }: Image): Float32Array {
  const calm = Float32Array.from(pixels)
  const level = (at: number) => pixels[at] + pixels[at + 1] + pixels[at + 2]
  for (let y = 1; y < height - 1; y++)
    for (let x = 1; x < width - 1; x++) {
      const at = (y * width + x) * 3
      const around: number[] = []
      for (let j = -1; j <= 1; j++)
        for (let i = -1; i <= 1; i++) if (i !== 0 || j !== 0) around.push(level(at + (j * width + i) * 3))
      const third = around.sort((a, b) => b - a)[2] * 1.25 + 0.02
      const own = level(at)
      if (own <= third) continue
      for (let channel = 0; channel < 3; channel++) calm[at + channel] = pixels[at + channel] * (third / own)
    }
  return calm
}

/** The variance of each pixel's mean, spread over its neighbors, because few paths tell little of it. */
function firstDoubt(image: Image, squares: Float32Array, albedo: Float32Array, paths: number): Float32Array {
  const { width, height, pixels } = image
  const raw = new Float32Array(width * height)
  for (let index = 0; index < raw.length; index++) {
    const at = index * 3
    const mean = (pixels[at] + pixels[at + 1] + pixels[at + 2]) / 3
    const shade = (albedo[at] + albedo[at + 1] + albedo[at + 2]) / 3
    raw[index] = Math.max(squares[index] - mean * mean, 0) / (paths * shade * shade)
  }
  const spread = new Float32Array(raw.length)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      let [sum, count] = [0, 0]
      for (let j = Math.max(y - 2, 0); j <= Math.min(y + 2, height - 1); j++)
        for (let i = Math.max(x - 2, 0); i <= Math.min(x + 2, width - 1); i++) {
          sum += raw[j * width + i]
          count++
        }
      spread[y * width + x] = sum / count
    }
  return spread
}

function smoothPixel(
  x: number,
  y: number,
  step: number,
  width: number,
  height: number,
  light: Float32Array,
  doubt: Float32Array,
  albedo: Float32Array,
  { normal, depth }: Features,
  out: Float32Array,
  outDoubt: Float32Array,
): void {
  const here = y * width + x
  const at = here * 3
  const level = light[at] + light[at + 1] + light[at + 2]
  const range = 1 / (Math.sqrt(doubt[here]) * 5 + 1e-4)
  const far = 1 / (depth[here] * 0.02 * step + 1e-3)
  let [r, g, b, v, total] = [0, 0, 0, 0, 0]
  for (let j = -2; j <= 2; j++) {
    const py = y + j * step
    if (py < 0 || py >= height) continue
    for (let i = -2; i <= 2; i++) {
      const px = x + i * step
      if (px < 0 || px >= width) continue
      const there = py * width + px
      const to = there * 3
      const turn = normal[at] * normal[to] + normal[at + 1] * normal[to + 1] + normal[at + 2] * normal[to + 2]
      const own = normal[at] ** 2 + normal[at + 1] ** 2 + normal[at + 2] ** 2
      const paint =
        (albedo[at] - albedo[to]) ** 2 + (albedo[at + 1] - albedo[to + 1]) ** 2 + (albedo[at + 2] - albedo[to + 2]) ** 2
      const change = Math.abs(level - light[to] - light[to + 1] - light[to + 2])
      const weight =
        kernel[i + 2] *
        kernel[j + 2] *
        Math.exp(-change * range - Math.abs(depth[here] - depth[there]) * far - Math.abs(own - turn) * 18 - paint * 30)
      r += light[to] * weight
      g += light[to + 1] * weight
      b += light[to + 2] * weight
      v += doubt[there] * weight * weight
      total += weight
    }
  }
  out[at] = r / total
  out[at + 1] = g / total
  out[at + 2] = b / total
  outDoubt[here] = v / (total * total)
}
