import type { Image, Size } from '../render/image.ts'
import { hash, noise } from '../render/noise.ts'
import { gradientSky, Stage, type Surface } from '../render/stage.ts'
import { photograph } from '../render/trace.ts'
import { hex, mix, scale, type Vector } from '../render/vector.ts'
import { glass, matt, metal } from '../shapes/materials.ts'
import { deform, sheet } from '../shapes/mesh.ts'
import { blend, egg, type Field, limb, polygonize } from '../shapes/polygonize.ts'
import { box, ground, lathe, sphere, tube } from '../shapes/solids.ts'

const vinyl = (color: string, rough = 0.35): Surface => ({ color: hex(color), rough, coat: 0.9, soft: 0.12 })

/** A seamless paper background, two big lamps. */
function studio(stage: Stage, color: string, power = 1): void {
  stage.add(
    sheet(
      (u, v) => {
        const t = v * 3
        const bend =
          t < 1
            ? [0, 4 - 6 * t]
            : t < 2
              ? [2 - 2 * Math.cos(((t - 1) * Math.PI) / 2), -2 - 2 * Math.sin(((t - 1) * Math.PI) / 2)]
              : [2 + 8 * (t - 2), -4]
        return [(u - 0.5) * 30, bend[0], bend[1] + 1.5]
      },
      2,
      90,
    ),
    matt(color),
  )
  stage.softbox([-4.4, 5, 3], [0, 0.6, 0], 3.4, 3.4, scale([1, 0.97, 0.93], 7 * power))
  stage.softbox([5, 2.4, 2.4], [0, 0.6, 0], 2.4, 3.4, scale([0.92, 0.95, 1], 2.4 * power))
  stage.sky = gradientSky([0.4, 0.38, 0.36], [0.5, 0.48, 0.47], [0.62, 0.63, 0.68], 0.55 * power)
}

/** Balls, arches, and blocks, in balance. */
export function balance(size: Size): Image {
  const stage = new Stage()
  studio(stage, '#f0b9a4')
  stage.add(box([2.6, 0.5, 1.1], 0.08), vinyl('#f6ead6'), { at: [-0.2, 0.25, 0] })
  stage.add(
    tube(
      [
        [-1, 0.5, 0],
        [-1, 1.3, 0],
        [-0.6, 2.05, 0],
        [0.1, 2.3, 0],
        [0.8, 2.05, 0],
        [1.15, 1.3, 0],
        [1.15, 0.5, 0],
      ],
      0.26,
      { parts: 40, steps: 16 },
    ),
    vinyl('#e4572e'),
  )
  stage.add(sphere(0.5, 60), vinyl('#2a6f6b', 0.2), { at: [0.08, 1, 0.1] })
  stage.add(sphere(0.36, 60), metal('#f2c46d', 0.12), { at: [0.1, 2.92, 0] })
  stage.add(
    lathe(
      [
        [0.62, 0],
        [0.62, 0],
        [0.62, 0.28],
        [0.62, 0.28],
        [0.001, 0.28],
      ],
      64,
      3,
    ),
    vinyl('#3b4f9c'),
    { at: [1.95, 0, 0.5] },
  )
  stage.add(
    lathe(
      [
        [0.5, 0],
        [0.001, 1.15],
      ],
      64,
      12,
    ),
    vinyl('#f7d35e'),
    { at: [1.95, 0.28, 0.5] },
  )
  stage.add(sphere(0.42, 60), glass('#ffe9f2', 1.45), { at: [-1.95, 0.42, 0.8] })
  stage.add(
    tube(
      Array.from(
        { length: 40 },
        (_, i): Vector => [-1.9 + 0.34 * Math.cos(i * 0.63), 0.1 + i * 0.032, -0.7 + 0.34 * Math.sin(i * 0.63)],
      ),
      0.085,
      { parts: 20, steps: 6 },
    ),
    vinyl('#7fb8c9'),
  )
  stage.camera = { from: [0.9, 2.1, 7.6], to: [0, 1.35, 0], angle: 29, lens: 0.07, focus: [0, 1.4, 0.3] }
  return photograph(stage, { ...size, bounces: 4 })
}

/** A house on a small island, with a tree and its cloud. */
export function island(
  size: Size,
  { base = '#b9d3d6', grass = '#9dad6c', house = '#f4ead8', roof = '#cf7f63', night = false } = {},
): Image {
  const stage = new Stage()
  studio(stage, night ? '#4f5a78' : base, night ? 0.5 : 1)
  const rock: Field = (x, y, z) =>
    blend(egg(x, y - 0.75, z, 1.9, 0.36, 1.6), egg(x + 0.1, y - 0.3, z, 1.25, 0.75, 1.05), 0.4) +
    0.08 * noise(x * 2.4, y * 2.4, z * 2.4)
  stage.add(
    polygonize(rock, [-2.2, -0.6, -2], [2.2, 1.4, 2], 0.05),
    {
      color: ({ x, y, z }) =>
        y > 0.72 + 0.1 * noise(x * 4, z * 4)
          ? scale(hex(grass), 0.9 + 0.2 * noise(x * 9, z * 9))
          : mix(hex('#a9785a'), hex('#7d5540'), 0.5 + 0.5 * noise(x, y * 6, z)),
      rough: 0.85,
      coat: 0.3,
      soft: 0.1,
    },
    { at: [0, 0.35, 0] },
  )
  stage.add(box([0.95, 0.95, 0.85], 0.04), vinyl(house, 0.7), { at: [-0.25, 1.75, 0] })
  stage.add(
    sheet((u, v) => [(u - 0.5) * 1.2, 0.62 * (1 - Math.abs(v - 0.5) * 2), (0.5 - v) * 1.25], 4, 24),
    vinyl(roof, 0.5),
    { at: [-0.25, 2.18, 0] },
  )
  stage.add(
    sheet((u, v) => [(u - 0.5) * 1.1 * 0.84, 0.55 * v * 0.99, 0], 2, 2),
    vinyl(house, 0.7),
    { at: [-0.25, 2.2, 0.1] },
  )
  for (const [x, y] of [
    [-0.52, 1.85],
    [0.02, 1.85],
  ]) {
    stage.add(
      box([0.22, 0.26, 0.05], 0.015),
      night ? { color: [0, 0, 0], glow: scale(hex('#ffc774'), 3), coat: 0 } : vinyl('#5f7f92', 0.15),
      { at: [x, y, 0.42] },
    )
  }
  stage.add(box([0.24, 0.44, 0.06], 0.02), vinyl('#3f5f6f'), { at: [-0.25, 1.5, 0.43] })
  stage.add(box([0.16, 0.5, 0.16], 0.02), vinyl(house, 0.7), { at: [0.06, 2.72, -0.2] })
  for (const [x, z, s] of [
    [1.0, -0.1, 1],
    [0.75, 0.62, 0.6],
    [-1.25, -0.3, 0.75],
  ]) {
    stage.add(
      lathe(
        [
          [0.07, 0],
          [0.05, 0.6],
        ],
        16,
      ),
      matt('#6d4a34'),
      { at: [x, 1.3, z], size: s },
    )
    for (const [dy, r] of [
      [0.55, 0.42],
      [0.9, 0.33],
      [1.2, 0.23],
    ])
      stage.add(
        deform(sphere(r, 30), ([a, b, c]) => [a, b * 0.8, c]),
        { ...vinyl('#6c9077', 0.7), soft: 0.25 },
        { at: [x, 1.3 + dy * s, z], size: s },
      )
  }
  for (const [x, y, z, s] of [
    [-1.7, 3.3, -0.6, 0.5],
    [1.5, 3.75, -1, 0.66],
  ])
    for (const [dx, dy, r] of [
      [0, 0, 0.6],
      [0.6, -0.1, 0.45],
      [-0.62, -0.12, 0.42],
      [0.2, 0.32, 0.42],
    ])
      stage.add(sphere(r, 40), { ...vinyl('#fbf6ee', 0.9), soft: 0.4 }, { at: [x + dx * s, y + dy * s, z], size: s })
  if (night)
    stage.add(
      sphere(0.3, 40),
      { color: [0, 0, 0], glow: scale(hex('#fff0cf'), 2.2), coat: 0 },
      { at: [0.35, 3.55, -2] },
    )
  stage.camera = { from: [2.6, 3.2, 8.6], to: [0.05, 2.05, 0], angle: 29, lens: 0.08, focus: [0, 1.9, 0.4] }
  return photograph(stage, size)
}

/** Soft shapes of glass, light from behind. */
export function glassworks(size: Size): Image {
  const stage = new Stage()
  stage.add(ground(40, 2), { color: hex('#161b2e'), rough: 0.16, coat: 1 })
  const tones = ['#ff9db0', '#9fd8ff', '#ffe0a3', '#b8ffda', '#d6b8ff']
  for (let index = 0; index < 11; index++) {
    const r = 0.28 + 0.5 * hash(index, 2, 9)
    const x = -2.9 + index * 0.58 + 0.2 * hash(index, 4, 1)
    const z = -1.4 + 2.6 * hash(index, 5, 3)
    stage.add(
      deform(sphere(r, 60), ([a, b, c]) => [a * (1 + 0.1 * noise(a * 2 + index, b * 2, c)), b, c]),
      glass(tones[index % 5], 1.42),
      { at: [x, r, z] },
    )
  }
  stage.add(
    tube(
      Array.from(
        { length: 34 },
        (_, i): Vector => [1.2 * Math.cos(i * 0.19), 1.3 + 1.1 * Math.sin(i * 0.38), -0.4 + 0.9 * Math.sin(i * 0.19)],
      ),
      0.17,
      { parts: 30, steps: 6 },
    ),
    glass('#ffc3d3', 1.4),
  )
  stage.softbox([0, 3, -6], [0, 0.6, 0], 9, 5, scale([1, 0.75, 0.6], 2.6), false)
  stage.softbox([-4.6, 3.4, 2], [0, 0.6, 0], 1.6, 3.6, scale([0.7, 0.85, 1], 8), false)
  stage.softbox([4.6, 3.4, 1], [0, 0.6, 0], 1.2, 3, scale([1, 0.85, 0.95], 7), false)
  stage.sky = gradientSky([0.02, 0.02, 0.04], [0.1, 0.07, 0.1], [0.05, 0.06, 0.12], 1)
  stage.camera = { from: [0.4, 1.9, 7], to: [0, 0.95, 0], angle: 31, lens: 0.08, focus: [0, 0.8, 0.5] }
  return photograph(stage, { ...size, paths: 11, bounces: 10 })
}

/** A waiting room for shapes: each has its own chair, or is one. */
export function parade(size: Size): Image {
  const stage = new Stage()
  studio(stage, '#cfd6ea')
  const tones = ['#ef6f53', '#f3b23e', '#3f7f8f', '#5a4a8a', '#e8e0cf', '#c94a6a', '#7fae7a']
  for (let index = 0; index < 17; index++) {
    const x = -6.4 + index * 0.82
    const z = -0.9 + 1.5 * hash(index, 1, 6)
    const tone = vinyl(tones[index % tones.length], 0.3 + 0.4 * hash(index, 2, 2))
    const kind = index % 5
    if (kind === 0)
      stage.add(
        deform(sphere(0.42, 50), ([a, b, c]) => [a, b * 1.4, c]),
        tone,
        { at: [x, 0.58, z] },
      )
    else if (kind === 1) stage.add(box([0.62, 0.62, 0.62], 0.1), tone, { at: [x, 0.31, z], turned: [0, index * 23, 0] })
    else if (kind === 2)
      stage.add(
        lathe(
          [
            [0.42, 0],
            [0.44, 0.5],
            [0.25, 0.9],
            [0.3, 1.2],
            [0.001, 1.25],
          ],
          60,
        ),
        tone,
        { at: [x, 0, z] },
      )
    else if (kind === 3)
      stage.add(
        polygonize(
          (px, py, pz) =>
            blend(
              blend(egg(px, py - 0.3, pz, 0.4, 0.3, 0.4), egg(px, py - 0.72, pz, 0.3, 0.24, 0.3), 0.14),
              limb(px, py, pz, [0, 1, 0], [0.06, 1.25, 0], 0.1, 0.14),
              0.12,
            ),
          [-0.6, -0.1, -0.6],
          [0.6, 1.6, 0.6],
          0.035,
        ),
        tone,
        { at: [x, 0, z] },
      )
    else
      stage.add(
        tube(
          Array.from(
            { length: 25 },
            (_, i): Vector => [0.42 * Math.cos((i / 24) * 6.283), 0.58 + 0.42 * Math.sin((i / 24) * 6.283), 0],
          ),
          0.15,
          { parts: 26, steps: 4 },
        ),
        tone,
        { at: [x, 0, z], turned: [0, index * 31, 0] },
      )
    if (index % 4 === 1) stage.add(sphere(0.2, 30), metal('#f2c46d', 0.12), { at: [x, 0.82, z] })
  }
  stage.camera = { from: [0.8, 1.5, 7.4], to: [0, 0.72, 0], angle: 27, lens: 0.07, focus: [0, 0.6, 0.2] }
  return photograph(stage, { ...size, bounces: 4 })
}
