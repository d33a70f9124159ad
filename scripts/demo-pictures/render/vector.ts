/** Points, directions, and colors (linear red, green, blue). */
export type Vector = readonly [number, number, number]

export const add = (a: Vector, b: Vector): Vector => [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
export const subtract = (a: Vector, b: Vector): Vector => [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
export const scale = (a: Vector, by: number): Vector => [a[0] * by, a[1] * by, a[2] * by]
export const multiply = (a: Vector, b: Vector): Vector => [a[0] * b[0], a[1] * b[1], a[2] * b[2]]
export const dot = (a: Vector, b: Vector): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
export const cross = (a: Vector, b: Vector): Vector => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
]
export const length = (a: Vector): number => Math.hypot(a[0], a[1], a[2])
export const normalize = (a: Vector): Vector => scale(a, 1 / (length(a) || 1))
export const mix = (a: Vector, b: Vector, share: number): Vector => [
  a[0] + (b[0] - a[0]) * share,
  a[1] + (b[1] - a[1]) * share,
  a[2] + (b[2] - a[2]) * share,
]

export const clamp = (value: number, low = 0, high = 1): number => Math.min(Math.max(value, low), high)
export const lerp = (a: number, b: number, share: number): number => a + (b - a) * share
/** 0 up to `from`, 1 from `to` on, smooth in between. */
export function smoothstep(from: number, to: number, value: number): number {
  const share = clamp((value - from) / (to - from))
  return share * share * (3 - 2 * share)
}

/** A color as designers write it, `#c08a5f`, in linear light. */
export function hex(text: string): Vector {
  const value = Number.parseInt(text.slice(1), 16)
  return [linear((value >> 16) / 255), linear(((value >> 8) & 255) / 255), linear((value & 255) / 255)]
}

const linear = (encoded: number) => (encoded <= 0.04045 ? encoded / 12.92 : ((encoded + 0.055) / 1.055) ** 2.4)

/** Turns about x, then y, then z, in degrees. */
export function rotation([x, y, z]: Vector): readonly [Vector, Vector, Vector] {
  const [a, b, c] = [x, y, z].map((degrees) => (degrees * Math.PI) / 180)
  const [sa, ca, sb, cb, sc, cc] = [Math.sin(a), Math.cos(a), Math.sin(b), Math.cos(b), Math.sin(c), Math.cos(c)]
  return [
    [cc * cb, cc * sb * sa - sc * ca, cc * sb * ca + sc * sa],
    [sc * cb, sc * sb * sa + cc * ca, sc * sb * ca - cc * sa],
    [-sb, cb * sa, cb * ca],
  ]
}

export const turn = ([a, b, c]: readonly [Vector, Vector, Vector], v: Vector): Vector => [
  dot(a, v),
  dot(b, v),
  dot(c, v),
]
