/** A picture in linear light, three numbers for each pixel, from the top left. */
export type Image = { readonly width: number; readonly height: number; readonly pixels: Float32Array }
export type Size = { readonly width: number; readonly height: number }

export const emptyImage = ({ width, height }: Size): Image => ({
  width,
  height,
  pixels: new Float32Array(width * height * 3),
})

/** Blurs with three passes of a box, which is nearly a Gaussian. */
export function blur({ width, height, pixels }: Image, radius: number): Image {
  let from = Float32Array.from(pixels)
  let to = new Float32Array(pixels.length)
  const size = Math.max(Math.round(radius), 1)
  for (let pass = 0; pass < 3; pass++) {
    boxBlur(from, to, width, height, 3, width * 3, size)
    boxBlur(to, from, height, width, width * 3, 3, size)
  }
  to = from
  from = new Float32Array(0)
  return { width, height, pixels: to }
}

/** One direction: `step` from pixel to pixel, `jump` from line to line. */
function boxBlur(
  from: Float32Array,
  to: Float32Array,
  length: number,
  lines: number,
  step: number,
  jump: number,
  radius: number,
) {
  const share = 1 / (radius * 2 + 1)
  for (let line = 0; line < lines; line++)
    for (let channel = 0; channel < 3; channel++) {
      const start = line * jump + channel
      const at = (index: number) => from[start + Math.min(Math.max(index, 0), length - 1) * step]
      let sum = 0
      for (let index = -radius; index <= radius; index++) sum += at(index)
      for (let index = 0; index < length; index++) {
        to[start + index * step] = sum * share
        sum += at(index + radius + 1) - at(index - radius)
      }
    }
}

/** The color between pixels; x and y in pixels. */
export function sample({ width, height, pixels }: Image, x: number, y: number, channel: number): number {
  const cx = Math.min(Math.max(x, 0), width - 1.001)
  const cy = Math.min(Math.max(y, 0), height - 1.001)
  const ix = Math.floor(cx)
  const iy = Math.floor(cy)
  const fx = cx - ix
  const fy = cy - iy
  const at = (iy * width + ix) * 3 + channel
  const top = pixels[at] * (1 - fx) + pixels[at + 3] * fx
  const bottom = pixels[at + width * 3] * (1 - fx) + pixels[at + width * 3 + 3] * fx
  return top * (1 - fy) + bottom * fy
}
