import type { Image, Size } from '../render/image.ts'
import { fbm, noise } from '../render/noise.ts'
import { Stage, type Surface } from '../render/stage.ts'
import { photograph } from '../render/trace.ts'
import { hex, scale, type Vector } from '../render/vector.ts'
import { concrete, linen, matt, metal, planks, plaster } from '../shapes/materials.ts'
import { sheet } from '../shapes/mesh.ts'
import { blend, egg, type Field, limb, polygonize } from '../shapes/polygonize.ts'
import { box, ground, lathe, tube, wall } from '../shapes/solids.ts'
import { sunlight, windowLight } from './light.ts'

const iron: Surface = {
  color: ({ x, y, z }) => scale(hex('#26282b'), 0.85 + 0.3 * fbm(x * 4, y * 4, z * 4, 4)),
  rough: 0.5,
  coat: 0.9,
  relief: (x, y, z) => 0.006 * fbm(x * 13, y * 13, z * 13, 4),
  reliefStep: 0.01,
}

function kettlebell(stage: Stage, at: Vector, size: number, band: string, turned = 0): void {
  const field: Field = (x, y, z) => {
    const m = Math.abs(x)
    let d = egg(x, y - 0.72, z, 0.74, 0.72, 0.74)
    d = Math.max(d, 0.04 - y)
    d = blend(d, limb(m, y, z, [0.42, 1.2, 0], [0.44, 1.66, 0], 0.15, 0.12), 0.2)
    return blend(d, limb(m, y, z, [0.44, 1.66, 0], [0, 1.92, 0], 0.12, 0.13), 0.12)
  }
  stage.add(polygonize(field, [-0.85, -0.02, -0.85], [0.85, 2.2, 0.85], 0.035), iron, {
    at,
    size,
    turned: [0, turned, 0],
  })
  stage.add(
    lathe(
      [
        [0.735, 0.62],
        [0.752, 0.66],
        [0.752, 0.8],
        [0.735, 0.84],
      ],
      96,
    ),
    matt(band, { rough: 0.4, coat: 0.8 }),
    { at, size, turned: [0, turned, 0] },
  )
}

/** Kettlebells on a floor in morning light. */
export function weights(size: Size): Image {
  const stage = new Stage()
  stage.add(ground(24, 2), concrete('#8b8a86', { size: 0.8 }))
  stage.add(wall(24, 12), concrete('#a7a39b', { size: 0.5 }), { at: [0, 0, -3] })
  kettlebell(stage, [-0.55, 0, 0.2], 1, '#c9432e', 24)
  kettlebell(stage, [1.25, 0, -0.7], 0.8, '#2f6f8a', -35)
  kettlebell(stage, [2.5, 0, -1.5], 0.64, '#d9a02e', 60)
  mat(stage, [-2.5, 0.34, -1.2], '#4f6f66', 78)
  sunlight(stage, { from: [-1.2, 0.6, 0.5], color: '#ffd7a0', power: 3.3, sky: '#9fb6dc', room: 0.36, spread: 0.05 })
  stage.camera = { from: [0.5, 1.3, 6.2], to: [0.25, 0.95, -0.2], angle: 31, lens: 0.1, focus: [-0.4, 1, 0.7] }
  return photograph(stage, size)
}

/** A rolled mat, as a spiral. */
function mat(stage: Stage, at: Vector, color: string, turned: number): void {
  const rubber: Surface = {
    color: ({ x, y, z }) => scale(hex(color), 0.93 + 0.1 * noise(x * 30, y * 30, z * 30)),
    rough: 0.85,
    coat: 0.3,
    relief: (x, y, z) => 0.004 * noise(x * 45, y * 45, z * 45),
  }
  stage.add(
    sheet(
      (u, v) => {
        const angle = u * Math.PI * 2 * 5
        const r = 0.06 + 0.056 * (angle / (Math.PI * 2))
        return [(v - 0.5) * 1.9, Math.cos(angle) * r, Math.sin(angle) * r]
      },
      320,
      2,
    ),
    rubber,
    { at, turned: [0, turned, 0] },
  )
}

/** A mat on boards before a window: twenty minutes, no mirror. */
export function practice(size: Size): Image {
  const stage = new Stage()
  stage.add(ground(26, 2), planks('#c9a377', '#96704a', 0.55, 0.45), { turned: [0, 90, 0] })
  stage.add(wall(26, 12), plaster('#d6cfc3', 0.6), { at: [0, 0, -3.6] })
  const rubber: Surface = {
    color: ({ x, z }) => scale(hex('#3d6a72'), 0.94 + 0.08 * noise(x * 26, z * 26)),
    rough: 0.88,
    coat: 0.3,
    relief: (x, _y, z) => 0.004 * Math.sin(x * 60) * Math.sin(z * 60),
  }
  stage.add(
    sheet((u, v) => [(u - 0.5) * 3.7, 0.05 + (u > 0.93 ? (u - 0.93) ** 2 * 26 : 0), (0.5 - v) * 1.4], 90, 2),
    rubber,
    { at: [-0.3, 0, 0.4], turned: [0, 28, 0] },
  )
  for (const [x, z, tone] of [
    [1.9, -0.9, '#d9a07a'],
    [1.95, -0.3, '#c98a62'],
  ] as const)
    stage.add(box([0.9, 0.32, 0.5], 0.05), matt(tone), { at: [x, 0.16, z], turned: [0, 28, 0] })
  stage.add(
    lathe(
      [
        [0.3, 0],
        [0.32, 0.9],
        [0.24, 1.05],
        [0.13, 1.1],
        [0.13, 1.2],
        [0.001, 1.22],
      ],
      64,
    ),
    metal('#8fa6a3', 0.3),
    { at: [-2.1, 0, -0.8], size: 0.85 },
  )
  const towel = linen('#e7dcc9', { pitch: 0.02, sheen: 0.3 })
  stage.add(
    sheet(
      (u, v) => [(u - 0.5) * 1.0, 0.08 + 0.05 * fbm(u * 3, v * 4, 2, 3) + (v > 0.5 ? 0.1 : 0), (0.5 - v) * 0.8],
      60,
      60,
    ),
    towel,
    { at: [0.9, 0, 1.5], turned: [0, -20, 0] },
  )
  plant(stage, [2.9, 0, -2.3])
  // The window's cross falls over floor and mat.
  const bar = matt('#2a2a2a')
  for (const x of [-1.4, 0, 1.4]) stage.add(box([0.1, 5, 0.1], 0.02), bar, { at: [-6 + x * 0.5, 3, -0.5 + x] })
  stage.add(box([0.1, 0.1, 4], 0.02), bar, { at: [-6, 3.4, -0.5], turned: [0, 26, 0] })
  sunlight(stage, { from: [-1.2, 0.68, -0.05], color: '#ffdca8', power: 3.3, sky: '#a6bfe6', room: 0.45, spread: 0.03 })
  stage.camera = { from: [0.5, 2.2, 6.3], to: [0.1, 0.6, -0.3], angle: 34, lens: 0.06, focus: [0, 0.2, 0.6] }
  return photograph(stage, size)
}

function plant(stage: Stage, at: Vector): void {
  stage.add(
    lathe(
      [
        [0.42, 0],
        [0.5, 0.75],
        [0.52, 0.8],
        [0.46, 0.78],
        [0.001, 0.7],
      ],
      64,
    ),
    matt('#e4ddd0'),
    { at },
  )
  const green: Surface = { color: ({ v }) => scale(hex('#3f6b3a'), 0.7 + 0.6 * v), rough: 0.45, coat: 0.9, soft: 0.15 }
  for (let index = 0; index < 22; index++) {
    const lean = 12 + (index % 5) * 11
    stage.add(
      sheet(
        (u, v) => [
          (u - 0.5) * 0.34 * Math.sin(Math.PI * Math.min(v * 0.9 + 0.12, 1)),
          v * 2.2 - 0.5 * v * v,
          v * v * 0.6 + 0.1 * Math.cos(u * 6),
        ],
        8,
        20,
      ),
      green,
      { at: [at[0], at[1] + 0.7, at[2]], turned: [lean, index * 137, 0], size: 0.8 + 0.05 * (index % 6) },
    )
  }
}

/** Ropes, a bar, and chalk. */
export function bar(size: Size): Image {
  const stage = new Stage()
  stage.add(ground(24, 2), {
    color: ({ x, z }) => scale(hex('#2c2d30'), 0.8 + 0.35 * fbm(x * 1.5, z * 1.5, 3, 5)),
    rough: 0.85,
    coat: 0.5,
    relief: (x, _y, z) => 0.012 * noise(x * 22, z * 22),
  })
  const disk = lathe(
    [
      [0.12, -0.16],
      [0.5, -0.13],
      [1.15, -0.16],
      [1.22, -0.12],
      [1.22, 0.12],
      [1.15, 0.16],
      [0.5, 0.13],
      [0.12, 0.16],
    ],
    128,
  )
  const steel = metal('#c4c6c8', 0.22)
  stage.add(
    tube(
      [
        [-5, 1.22, 0],
        [0, 1.22, 0],
        [5, 1.22, 0],
      ],
      0.075,
      { parts: 24 },
    ),
    {
      ...steel,
      relief: (x, y, z) =>
        x < 0.9
          ? 0.006 * Math.sin(x * 150 + Math.atan2(y - 1.22, z) * 9) * Math.sin(x * 150 - Math.atan2(y - 1.22, z) * 9)
          : 0,
      reliefStep: 0.004,
    },
  )
  for (const [x, r, tone] of [
    [1.3, 1, '#a32a24'],
    [1.66, 1, '#27282b'],
    [1.96, 0.72, '#27282b'],
  ] as const)
    stage.add(disk, matt(tone, { rough: 0.55, coat: 0.7 }), { at: [x, 1.22, 0], turned: [0, 0, 90], size: r })
  stage.add(
    lathe(
      [
        [0.12, -0.1],
        [0.2, -0.08],
        [0.2, 0.1],
        [0.12, 0.12],
      ],
      48,
    ),
    steel,
    { at: [0.98, 1.22, 0], turned: [0, 0, 90] },
  )
  stage.add(
    ground(2.4, 60, (x, z) => 0.02 * fbm(x * 5, z * 5, 2, 4) - 0.12 * (x * x + z * z)),
    matt('#e9e7e2', { soft: 0.2 }),
    { at: [-1.5, 0.05, 1.2] },
  )
  windowLight(stage, { from: [-3.8, 4.2, 1.8], to: [0, 0.8, 0], size: 2.2, power: 15, room: 0.1, color: '#eaf1ff' })
  stage.softbox([4, 2, -3], [0, 1, 0], 1.4, 3, scale(hex('#ffb070'), 8))
  stage.camera = { from: [-2.6, 2, 4.4], to: [0.5, 1.02, 0], angle: 33, lens: 0.12, focus: [1.15, 1.3, 0.3] }
  return photograph(stage, size)
}
