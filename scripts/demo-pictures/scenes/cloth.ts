import type { Image, Size } from '../render/image.ts'
import { fbm, noise, ridges } from '../render/noise.ts'
import { Stage, type Surface } from '../render/stage.ts'
import { photograph } from '../render/trace.ts'
import { hex, scale, smoothstep, type Vector } from '../render/vector.ts'
import { linen, matt, metal, planks, plaster, wood, wool } from '../shapes/materials.ts'
import { sheet } from '../shapes/mesh.ts'
import { blend, egg, type Field, limb, polygonize } from '../shapes/polygonize.ts'
import { ground, lathe, sphere, tube, wall } from '../shapes/solids.ts'
import { sunlight, windowLight } from './light.ts'

/** Cloth that fell into folds and was left there. */
export function folds(
  size: Size,
  color: string,
  { seed = 1, kind = 'wool' as 'wool' | 'silk' | 'linen', scale: dense = 1, low = false } = {},
): Image {
  const stage = new Stage()
  const height = (x: number, z: number) => {
    const bend = fbm(x * 0.35 * dense + seed, z * 0.35 * dense, seed, 3)
    const run = x * 0.85 + z * 0.45 + bend * 1.5
    const pleat = ridges(run * 0.62 * dense, z * 0.12 + seed, seed, 3, 0.42)
    return (
      0.75 * pleat ** 1.3 +
      0.25 * fbm(x * 0.5, z * 0.5, seed + 3, 3) +
      0.1 * Math.sin(run * 5 * dense + 4 * bend) * smoothstep(0.2, 0.7, pleat)
    )
  }
  const surface: Surface =
    kind === 'wool'
      ? wool(color, 0.6)
      : kind === 'linen'
        ? linen(color, { pitch: 0.03 })
        : {
            color: hex(color),
            rough: 0.3,
            coat: 1.1,
            sheen: 0.25,
            relief: (x, y, z) => 0.0006 * noise(x * 240, y * 20, z * 30),
            reliefStep: 0.003,
          }
  stage.add(ground(9, 420, height), surface)
  windowLight(stage, { from: [-4.5, 2, -2.6], to: [0, 0.3, 0], size: 2.4, power: 15, room: 0.12, tint: '#dfe2ea' })
  stage.camera = low
    ? { from: [0.6, 2.1, 4.6], to: [0, 0.35, -0.4], angle: 33, lens: 0.11, focus: [0.2, 0.6, 0.8] }
    : { from: [0.3, 4.6, 3], to: [0, 0.2, 0], angle: 34, lens: 0.08, focus: [0, 0.6, 0.3] }
  return photograph(stage, size)
}

/** Bolts of wool on a cutting table. */
export function stack(size: Size, colors: readonly string[]): Image {
  const stage = new Stage()
  stage.add(ground(16, 2), planks('#a98a68', '#745438', 1.4, 0.3))
  stage.add(wall(18, 9), plaster('#cdc6ba', 0.8), { at: [0, 0, -2.4] })
  let y = 0
  colors.forEach((color, index) => {
    const thick = 0.3 + 0.09 * Math.sin(index * 2.1)
    const wide = 2.7 - 0.12 * index + 0.15 * Math.sin(index * 4.4)
    for (let layer = 0; layer < 3; layer++) {
      const h = thick / 3
      const mesh = sheet(
        (u, v) => {
          // A folded edge in front: half a circle that runs to the back on both sides.
          const angle = (v - 0.5) * Math.PI
          const reach = 0.75 + 0.02 * noise(u * 4, index * 3.1 + layer)
          const sag = 0.02 * fbm(u * 5, index + layer * 0.3, 1, 3)
          return [
            (u - 0.5) * wide,
            y + h / 2 + layer * h + (Math.sin(angle) * h) / 2 + sag,
            reach + Math.cos(angle) * h * 0.55 - Math.abs(v - 0.5) ** 3 * 10,
          ]
        },
        60,
        30,
      )
      stage.add(mesh, wool(color, 0.45), { turned: [0, 4 * Math.sin(index * 5), 0] })
    }
    y += thick
  })
  tape(stage)
  windowLight(stage, { from: [-4, 3.4, 2.4], to: [0, 0.8, 0], size: 2.6, power: 12, room: 0.2 })
  stage.camera = { from: [0.5, 2, 6], to: [0.1, y * 0.45, 0.4], angle: 27, lens: 0.1, focus: [0, y * 0.5, 0.9] }
  return photograph(stage, size)
}

function tape(stage: Stage): void {
  const yellow: Surface = {
    color: ({ u }) => ((u * 120) % 1 < 0.12 ? [0.05, 0.04, 0.03] : hex('#e3b437')),
    rough: 0.5,
    coat: 0.7,
  }
  stage.add(
    sheet(
      (u, v) => {
        const t = u * 7
        return [
          -1.9 + t * 0.55 + 0.25 * Math.sin(t * 1.6),
          0.02 + 0.1 * Math.max(Math.sin(t * 2.3), 0) + (v - 0.5) * 0.02,
          1.75 + 0.2 * Math.cos(t * 1.9) + (v - 0.5) * 0.16,
        ]
      },
      160,
      2,
    ),
    yellow,
  )
}

/** Spools of thread in rows, one out of line. */
export function spools(size: Size): Image {
  const stage = new Stage()
  stage.add(ground(16, 2), linen('#b7ad9c', { pitch: 0.035 }))
  const colors = ['#b3123b', '#d9862c', '#e7d3a8', '#31586b', '#5c6b3a', '#2b2731', '#a7a2b4', '#7a2f22']
  const reel = lathe(
    [
      [0.12, 0],
      [0.34, 0],
      [0.34, 0],
      [0.34, 0.07],
      [0.34, 0.07],
      [0.16, 0.12],
      [0.16, 0.12],
      [0.16, 0.98],
      [0.16, 0.98],
      [0.34, 1.03],
      [0.34, 1.03],
      [0.34, 1.1],
      [0.34, 1.1],
      [0.07, 1.1],
    ],
    64,
    4,
  )
  const thread = lathe(
    [
      [0.16, 0.1],
      [0.27, 0.13],
      [0.3, 0.3],
      [0.3, 0.8],
      [0.27, 0.97],
      [0.16, 1],
    ],
    64,
    10,
  )
  for (let row = 0; row < 6; row++)
    for (let index = 0; index < 7; index++) {
      const color = hex(colors[(index * 5 + row * 3) % colors.length])
      const wound: Surface = {
        color: ({ x, y, z }) =>
          scale(
            color,
            0.86 + 0.16 * Math.sin(y * 230 + 3 * Math.atan2(x, z)) + 0.1 * noise(y * 60, Math.atan2(x, z) * 3),
          ),
        rough: 0.5,
        coat: 0.8,
        sheen: 0.3,
        relief: (x, y, z) => 0.004 * Math.sin(y * 230 + 3 * Math.atan2(x, z)),
        reliefStep: 0.003,
      }
      const at: Vector = [-2.6 + index * 0.86 + (row % 2) * 0.43, 0, -2.9 + row * 0.82]
      stage.add(reel, wood('#d8b98c', '#a67c4d', { size: 3, polish: 0.4 }), { at })
      stage.add(thread, wound, { at, turned: [0, index * 71, 0] })
    }
  stage.add(
    tube(
      [
        [1.6, 0.02, 1.6],
        [0.8, 0.02, 2.2],
        [-0.2, 0.03, 1.9],
        [-0.9, 0.02, 2.4],
        [-2.2, 0.02, 2.2],
      ],
      0.012,
      { parts: 6, steps: 24 },
    ),
    matt('#b3123b'),
  )
  windowLight(stage, { from: [-3.6, 3, -2.8], size: 2.2, power: 15, room: 0.14 })
  stage.camera = { from: [1.9, 2.5, 4.6], to: [-0.1, 0.45, -0.5], angle: 31, lens: 0.16, focus: [0.2, 0.6, 0.5] }
  return photograph(stage, size)
}

/** A dress form by the window, pinned. */
export function mannequin(size: Size): Image {
  const stage = new Stage()
  stage.add(ground(20, 2), planks('#9b7a58', '#63452c', 1.2, 0.35), { at: [0, -3.6, 0], turned: [0, 90, 0] })
  stage.add(wall(20, 12), plaster('#c3bdb2', 0.6), { at: [0, -3.6, -2.6] })
  const body: Field = (x, y, z) => {
    const m = Math.abs(x)
    let d = egg(x, y - 0.9, z, 0.78, 0.95, 0.5)
    d = blend(d, egg(m - 0.33, y - 0.85, z - 0.34, 0.3, 0.3, 0.26), 0.3)
    d = blend(d, egg(x, y + 0.1, z, 0.52, 0.9, 0.4), 0.35)
    d = blend(d, egg(x, y + 1.15, z - 0.02, 0.8, 0.85, 0.56), 0.4)
    d = blend(d, limb(m, y, z, [0.3, 1.5, -0.05], [0.78, 1.45, -0.05], 0.26, 0.24), 0.3)
    return blend(d, limb(x, y, z, [0, 1.5, -0.05], [0, 2.2, -0.02], 0.27, 0.23), 0.25)
  }
  const seams: Surface = {
    ...linen('#cbb99c', { pitch: 0.02, worn: 0.05 }),
    color: ({ x, y, z }) => {
      const seam = Math.min(Math.abs(x), Math.abs(Math.abs(x) - 0.36 - 0.06 * Math.sin(y * 2)), Math.abs(y + 0.12))
      return scale(
        hex('#cbb99c'),
        (1 - 0.45 * smoothstep(0.012, 0.004, seam)) * (0.95 + 0.1 * fbm(x * 4, y * 4, z * 4, 3)),
      )
    },
  }
  stage.add(
    polygonize((x, y, z) => Math.max(body(x, y, z), y - 2.2, -1.95 - y), [-1.3, -2.05, -1], [1.3, 2.35, 1.1], 0.03),
    seams,
  )
  stage.add(
    lathe(
      [
        [0.24, 2.19],
        [0.26, 2.22],
        [0.2, 2.3],
        [0.08, 2.36],
        [0.1, 2.46],
        [0.001, 2.54],
      ],
      48,
    ),
    wood('#6b4a2e', '#3a2414', { size: 3, polish: 0.6 }),
  )
  // A half made skirt: pleats that hang from the waist.
  stage.add(
    sheet(
      (u, v) => {
        const angle = u * Math.PI * 2
        const pleat = Math.sin(angle * 13 + 1.2 * noise(angle * 1.3, 2)) * 0.13 * (1 - v) ** 0.8
        const r = 0.58 + 1.15 * (1 - v) ** 0.85 + pleat
        return [Math.sin(angle) * r, -3.2 + v * 3, Math.cos(angle) * r * 0.8]
      },
      420,
      60,
      true,
    ),
    wool('#2f4858', 0.5),
  )
  const pin = metal('#d8d4cc', 0.2)
  for (let index = 0; index < 9; index++) {
    const at: Vector = [-0.5 + index * 0.125, -0.28 + 0.03 * Math.sin(index * 3), 0.52 + 0.05 * Math.cos(index)]
    stage.add(sphere(0.022, 10), pin, { at })
  }
  windowLight(stage, { from: [-4.6, 2.6, 1.4], to: [0, 0.2, 0], size: 3, power: 11, room: 0.22 })
  stage.camera = { from: [0.9, 0.9, 8.4], to: [0, -0.25, 0], angle: 32, lens: 0.12, focus: [0, 0.6, 0.5] }
  return photograph(stage, size)
}

/** Cloth on a line in the sun. */
export function line(size: Size): Image {
  const stage = new Stage()
  const sheets = ['#e8e1d3', '#b3123b', '#d9c7a4', '#31586b', '#efe9df', '#c9863f']
  sheets.forEach((color, index) => {
    const mesh = sheet(
      (u, v) => {
        const wave = 0.16 * Math.sin(u * 9 + index * 2 + v * 2) * (1.1 - v) + 0.1 * fbm(u * 4, v * 3, index * 3.3, 3)
        return [(u - 0.5) * 2.15, v * 3.1 - 3.1 + 0.06 * Math.cos(u * Math.PI * 6) * v, wave]
      },
      120,
      90,
    )
    stage.add(
      mesh,
      { ...linen(color, { pitch: 0.02 }), soft: 0.35 },
      { at: [-6 + index * 2.4, 1.6 - 0.08 * Math.sin(index), -0.6 + 0.25 * Math.sin(index * 3)] },
    )
  })
  stage.add(
    tube(
      [
        [-9, 1.75, -0.5],
        [-3, 1.55, -0.5],
        [3, 1.55, -0.5],
        [9, 1.75, -0.5],
      ],
      0.02,
      { parts: 8 },
    ),
    matt('#4a4238'),
  )
  stage.add(
    ground(60, 140, (x, z) => -2.4 + 0.4 * fbm(x * 0.15, z * 0.15, 3, 4)),
    { color: ({ x, z }) => scale(hex('#7d8a4a'), 0.75 + 0.4 * fbm(x * 2, z * 2, 1, 4)), rough: 1, coat: 0 },
  )
  sunlight(stage, { from: [0.7, 0.7, -0.5], power: 3.4, sky: '#9fc3ea', room: 0.75, ground: '#6d7748' })
  stage.camera = { from: [0.6, 0.1, 7.6], to: [0, 0.15, 0], angle: 24, lens: 0.09, focus: [0.4, 0.2, -0.4] }
  return photograph(stage, size)
}
