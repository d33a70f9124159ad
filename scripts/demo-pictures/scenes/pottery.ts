import type { Image, Size } from '../render/image.ts'
import { fbm } from '../render/noise.ts'
import { Stage, type Surface } from '../render/stage.ts'
import { photograph } from '../render/trace.ts'
import { hex, scale, type Vector } from '../render/vector.ts'
import { glaze, linen, matt, plaster, wood } from '../shapes/materials.ts'
import type { Mesh } from '../shapes/mesh.ts'
import { box, ground, lathe, tube, wall } from '../shapes/solids.ts'
import { sunlight, windowLight } from './light.ts'

type Profile = [number, number][]

const shapes = {
  bottle: [
    [0.001, 0],
    [0.34, 0],
    [0.38, 0.04],
    [0.52, 0.45],
    [0.5, 0.85],
    [0.24, 1.2],
    [0.13, 1.5],
    [0.125, 1.85],
    [0.19, 2.02],
    [0.165, 2.02],
    [0.1, 1.84],
    [0.1, 1.5],
  ],
  moon: [
    [0.001, 0],
    [0.3, 0],
    [0.34, 0.03],
    [0.68, 0.35],
    [0.78, 0.75],
    [0.66, 1.15],
    [0.34, 1.42],
    [0.27, 1.5],
    [0.29, 1.58],
    [0.26, 1.58],
    [0.24, 1.5],
    [0.32, 1.38],
  ],
  cup: [
    [0.001, 0.02],
    [0.25, 0.02],
    [0.26, 0],
    [0.3, 0],
    [0.31, 0.04],
    [0.37, 0.25],
    [0.39, 0.62],
    [0.4, 0.78],
    [0.375, 0.785],
    [0.35, 0.6],
    [0.32, 0.2],
    [0.001, 0.12],
  ],
  bowl: [
    [0.001, 0.05],
    [0.28, 0.05],
    [0.3, 0],
    [0.34, 0],
    [0.35, 0.07],
    [0.68, 0.28],
    [0.9, 0.62],
    [0.905, 0.66],
    [0.87, 0.65],
    [0.64, 0.33],
    [0.3, 0.14],
    [0.001, 0.12],
  ],
  vase: [
    [0.001, 0],
    [0.3, 0],
    [0.33, 0.03],
    [0.42, 0.4],
    [0.34, 1.1],
    [0.3, 1.6],
    [0.4, 1.95],
    [0.38, 1.96],
    [0.27, 1.6],
    [0.3, 1.1],
  ],
  plate: [
    [0.001, 0.03],
    [0.6, 0.03],
    [0.62, 0],
    [0.66, 0],
    [0.7, 0.05],
    [1.0, 0.13],
    [1.02, 0.16],
    [0.99, 0.165],
    [0.66, 0.1],
    [0.001, 0.085],
  ],
} satisfies Record<string, Profile>

export const pot = (shape: keyof typeof shapes): Mesh => lathe(shapes[shape] as Profile, 128, 10)

const glazes = {
  celadon: glaze('#b9cbb6', '#93ad9d', '#8c6a4c', { edge: 0.8, run: 0.12, gloss: 0.9 }),
  tenmoku: glaze('#6d3a17', '#1c110d', '#5a3a28', { edge: 1.15, run: 0.22, gloss: 0.92, speckle: 0.4 }),
  chalk: glaze('#e9e2d3', '#ddd3c0', '#a5744c', { edge: 0.6, gloss: 0.55, speckle: 1.4 }),
  cobalt: glaze('#dcdfdc', '#2d4f86', '#8c6a4c', { edge: 1.0, run: 0.3, gloss: 0.9 }),
  shino: glaze('#ecd9c4', '#c9764a', '#7c4a2d', { edge: 0.7, run: 0.35, gloss: 0.6, speckle: 1.2 }),
  moss: glaze('#7d8a57', '#3d4a30', '#7a573b', { edge: 0.9, run: 0.2, gloss: 0.8 }),
} as const
type Glaze = keyof typeof glazes

/** A few pots on linen before a plaster wall. */
export function group(
  size: Size,
  pots: readonly (readonly [keyof typeof shapes, Glaze, Vector, number])[],
  {
    wallColor = '#b9aa98',
    cloth = '#cfc5b4',
    sunny = false,
    camera = [0.1, 1.75, 6.4] as Vector,
    angle = 27,
    to = [0, 0.85, 0] as Vector,
    focus = [0, 0.8, 0.3] as Vector,
    lens = 0.1,
  } = {},
): Image {
  const stage = new Stage()
  stage.add(
    ground(
      16,
      140,
      (x, z) => 0.03 * fbm(x * 0.9, z * 1.4, 2, 3) + 0.05 * Math.sin(z * 4 + x * 1.4) * Math.exp(-((x - 1.6) ** 2)),
    ),
    linen(cloth, { pitch: 0.028 }),
  )
  stage.add(wall(18, 9), plaster(wallColor, 0.8), { at: [0, 0, -1.9] })
  for (const [shape, finish, at, scaled] of pots)
    stage.add(pot(shape), glazes[finish], { at, size: scaled, turned: [0, at[0] * 77 + 20, 0] })
  if (sunny) sunlight(stage, { from: [-1.1, 0.72, 0.8], power: 3.4, sky: '#a9b9d4', room: 0.4, spread: 0.04 })
  else windowLight(stage, { from: [-4.2, 2.9, 1.2], to: [0, 0.8, 0], size: 2.4, power: 13, room: 0.18 })
  stage.camera = { from: camera, to, angle, lens, focus }
  return photograph(stage, size)
}

/** Glaze, close: where it ran and stopped. */
export function glazeDetail(size: Size): Image {
  const stage = new Stage()
  stage.add(ground(16, 2), wood('#4a3829', '#241811', { size: 0.7, polish: 0.3 }))
  stage.add(pot('moon'), glazes.shino, { at: [0.25, 0, 0], size: 1.25, turned: [0, 140, 0] })
  stage.add(pot('bottle'), glazes.tenmoku, { at: [-1.2, 0, -1.5], size: 1.2 })
  stage.add(pot('cup'), glazes.celadon, { at: [1.7, 0, -1.2], size: 1 })
  windowLight(stage, { from: [-3.2, 2.6, 2.2], to: [0, 0.8, 0], size: 1.6, power: 17, room: 0.1 })
  stage.camera = { from: [0.5, 1.75, 3.3], to: [0.2, 0.95, 0], angle: 27, lens: 0.12, focus: [0.15, 1.1, 0.9] }
  return photograph(stage, size)
}

/** Shelves of bowls and cups that wait for their glaze. */
export function shelves(size: Size): Image {
  const stage = new Stage()
  stage.add(wall(30, 14), plaster('#9a8f80', 0.7), { at: [0, -3, -1.1] })
  const raw: Surface[] = ['#c9b39a', '#b89c80', '#d6c6b0', '#a5846a'].map((color) => ({
    color: ({ x, y, z }) => scale(hex(color), 0.92 + 0.16 * fbm(x * 5, y * 5, z * 5, 4)),
    rough: 0.95,
    coat: 0.15,
    relief: (x, y) => 0.003 * Math.sin(y * 70) + 0.002 * fbm(x * 9, y * 9, 2, 3),
  }))
  const kinds = ['cup', 'bowl', 'vase', 'bottle', 'moon', 'bowl', 'cup'] as const
  for (let row = 0; row < 3; row++) {
    const y = row * 1.75 - 0.9
    stage.add(box([22, 0.14, 1.5], 0.03), wood('#8a6642', '#553a22', { size: 0.6, seed: row }), {
      at: [0, y - 0.07, -0.3],
    })
    for (let index = 0; index < 16; index++) {
      const kind = kinds[(index * 3 + row * 2) % kinds.length]
      const size0 = { cup: 0.9, bowl: 0.66, vase: 0.62, bottle: 0.6, moon: 0.74, plate: 0.6 }[kind]
      stage.add(
        pot(kind),
        (index + row) % 5 === 0 ? glazes.celadon : (index + row) % 7 === 3 ? glazes.shino : raw[(index + row) % 4],
        { at: [-7.6 + index * 1.04 + (row % 2) * 0.3, y, -0.25 + 0.2 * Math.sin(index * 2.3)], size: size0 },
      )
      if (kind === 'bowl')
        stage.add(pot(kind), raw[(index + 1) % 4], {
          at: [-7.6 + index * 1.04 + (row % 2) * 0.3, y + 0.16, -0.25 + 0.2 * Math.sin(index * 2.3)],
          size: size0 * 0.97,
        })
    }
  }
  windowLight(stage, { from: [-7, 4.2, 4.5], to: [0, 0.6, 0], size: 4, power: 13, room: 0.18, color: '#ffeacb' })
  stage.camera = { from: [2.4, 1.2, 8.2], to: [0.3, 0.85, 0], angle: 24, lens: 0.12, focus: [-0.4, 0.9, 0.2] }
  return photograph(stage, size)
}

/** Three stems in a bottle: branches with small leaves. */
export function branch(size: Size): Image {
  const stage = new Stage()
  stage.add(ground(16, 2), plaster('#c9b8a2', 1.1))
  stage.add(wall(18, 9), plaster('#c7a58c', 0.7), { at: [0, 0, -1.7] })
  stage.add(pot('bottle'), glazes.chalk, { at: [0, 0, 0], size: 1.1 })
  stage.add(pot('cup'), glazes.tenmoku, { at: [1.15, 0, 0.5], size: 0.95 })
  const twig = matt('#4a3524')
  const leaf: Surface = {
    color: ({ x, z }) => scale(hex('#6c7f52'), 0.85 + 0.3 * fbm(x * 7, z * 7, 1, 3)),
    rough: 0.6,
    coat: 0.6,
    soft: 0.25,
  }
  const shape = ground(1, 16)
  for (const [bx, by, bz, n] of [
    [-0.9, 3.9, 0.3, 9],
    [0.55, 4.3, -0.2, 11],
    [1.5, 3.5, 0.25, 8],
  ]) {
    stage.add(
      tube(
        [
          [0, 1.6, 0],
          [bx * 0.35, 2.6, bz * 0.4],
          [bx, by, bz],
        ],
        (s) => 0.026 * (1 - s * 0.7),
        { parts: 8 },
      ),
      twig,
    )
    for (let index = 0; index < n * 2; index++) {
      const t = 0.25 + (0.75 * index) / (n * 2)
      const at: Vector = [bx * t * t * 0.9 + bx * 0.1 * t, 1.6 + (by - 1.6) * t, bz * t * t]
      const size0 = 0.34 * (1.1 - t * 0.5)
      stage.add(
        {
          ...shape,
          points: shape.points.map((value, i) =>
            i % 3 === 0
              ? value + 0.5
              : i % 3 === 2
                ? value * Math.sin(Math.PI * (shape.points[i - 2] + 0.5) ** 0.8) * 0.62
                : 0.12 * shape.points[i - 1] ** 2,
          ),
        },
        leaf,
        { at, size: size0, turned: [index * 47, index % 2 ? 200 + index * 13 : index * 17, 25 - index * 3] },
      )
    }
  }
  sunlight(stage, { from: [-1.2, 0.62, 0.75], power: 3.3, sky: '#b9bfd6', room: 0.4, spread: 0.05 })
  stage.camera = { from: [0.2, 1.9, 7.4], to: [0.12, 1.85, 0], angle: 33, lens: 0.08, focus: [0, 1, 0.4] }
  return photograph(stage, size)
}
