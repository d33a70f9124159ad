import { random } from '../../../server/demo/random.ts'
import type { Image, Size } from '../render/image.ts'
import { noise } from '../render/noise.ts'
import { gradientSky, Stage, type Surface } from '../render/stage.ts'
import { photograph } from '../render/trace.ts'
import { hex, mix, scale, smoothstep, type Vector } from '../render/vector.ts'
import { matt, metal, wood } from '../shapes/materials.ts'
import { deform } from '../shapes/mesh.ts'
import { box, ground, lathe, sphere, tube } from '../shapes/solids.ts'

const lamp = (color: string, power: number): Surface => ({ color: [0, 0, 0], glow: scale(hex(color), power), coat: 0 })

function room(stage: Stage, left = '#ff7a4a', right = '#4a7dff'): void {
  stage.softbox([-4, 2.6, 0.5], [0, 0.2, 0], 1.6, 2.4, scale(hex(left), 9), false)
  stage.softbox([4, 2.8, -1.5], [0, 0.2, 0], 1.6, 2.4, scale(hex(right), 10), false)
  stage.softbox([0.5, 5, 2.5], [0, 0.2, 0], 2.4, 1.4, scale([1, 0.9, 0.8], 2.2), false)
  stage.sky = gradientSky([0.01, 0.01, 0.012], [0.03, 0.026, 0.034], [0.03, 0.03, 0.045], 1)
}

/** Knobs and lights of a synthesizer, from close by. */
export function knobs(size: Size, { left = '#ff8a4a', right = '#3f7dff' } = {}): Image {
  const stage = new Stage()
  const chance = random(6)
  stage.add(
    box([12, 0.3, 9], 0.06),
    {
      color: ({ x, z }) => {
        // White marks around each knob.
        const [px, pz] = [x - Math.round(x / 0.9) * 0.9, z - Math.round(z / 1.05) * 1.05]
        const r = Math.hypot(px, pz)
        const tick = Math.abs(((Math.atan2(px, pz) / Math.PI) * 8) % 1) < 0.12 && r > 0.34 && r < 0.4 && pz > -0.28
        return tick ? hex('#d8d2c4') : scale(hex('#24262b'), 0.95 + 0.1 * noise(x * 40, z * 40))
      },
      rough: 0.5,
      coat: 0.7,
    },
    { at: [0, -0.15, 0] },
  )
  const cap = lathe(
    [
      [0.001, 0.36],
      [0.2, 0.36],
      [0.235, 0.33],
      [0.25, 0.1],
      [0.3, 0.06],
      [0.3, 0],
    ].reverse() as [number, number][],
    64,
    4,
  )
  for (let row = -4; row <= 3; row++)
    for (let index = -6; index <= 6; index++) {
      const angle = chance.between(-140, 140)
      const tone = chance.between(0, 1)
      const at: Vector = [index * 0.9, 0, row * 1.05]
      const ribbed = deform(cap, ([x, y, z]) => {
        const r = 1 + 0.03 * Math.sin(Math.atan2(x, z) * 24) * smoothstep(0.08, 0.14, y) * smoothstep(0.36, 0.3, y)
        return [x * r, y, z * r]
      })
      stage.add(
        ribbed,
        matt(tone > 0.85 ? '#c8502a' : tone > 0.7 ? '#d8d2c4' : '#17181b', { rough: 0.35, coat: 0.9 }),
        { at, turned: [0, angle, 0] },
      )
      const [s, c] = [Math.sin((angle * Math.PI) / 180), Math.cos((angle * Math.PI) / 180)]
      stage.add(box([0.03, 0.02, 0.2], 0.008), matt('#f3efe4', { rough: 0.4 }), {
        at: [at[0] + s * 0.12, 0.365, at[2] + c * 0.12],
        turned: [0, angle, 0],
      })
      if (tone < 0.35)
        stage.add(
          sphere(0.045, 14),
          lamp(['#ff3b2e', '#ffb02e', '#3bff8a', '#4ab4ff'][chance.whole(0, 3)], chance.between(1.5, 7)),
          { at: [at[0] + 0.42, 0.03, at[2] - 0.42] },
        )
    }
  room(stage, left, right)
  stage.camera = { from: [0.5, 1.5, 3.3], to: [0.1, 0.1, -0.3], angle: 33, lens: 0.11, focus: [0.2, 0.35, 0.3] }
  return photograph(stage, { ...size, paths: 8 })
}

/** Keys of a piano that run into the dark. */
export function keys(size: Size): Image {
  const stage = new Stage()
  const ivory: Surface = { color: hex('#ece4d4'), rough: 0.16, coat: 1, soft: 0.1 }
  const ebony: Surface = { color: hex('#0d0c0c'), rough: 0.14, coat: 1.1 }
  for (let key = -16; key <= 16; key++) {
    const pressed = key === -2 || key === 2
    stage.add(box([0.44, 0.3, 3], 0.03), ivory, {
      at: [key * 0.46, pressed ? -0.1 : 0, 0],
      turned: [pressed ? 2 : 0, 0, 0],
    })
    if ([0, 1, 3, 4, 5].includes((((key + 16) % 7) + 7) % 7))
      stage.add(
        deform(box([0.25, 0.3, 1.9], 0.04), ([x, y, z]) => [x * (1 - 0.1 * (y + 0.15)), y, z]),
        ebony,
        { at: [key * 0.46 + 0.23, 0.26, -0.58] },
      )
  }
  stage.add(box([20, 1.6, 0.3], 0.04), { ...ebony, rough: 0.08 }, { at: [0, 0.6, -1.75] })
  stage.add(box([20, 0.05, 0.24], 0.02), wood('#7a1f1f', '#5a1414', { size: 3, polish: 0.1 }), { at: [0, 0.16, -1.5] })
  stage.add(box([20, 0.6, 1], 0.06), { ...ebony, rough: 0.1 }, { at: [0, -0.42, 2.05] })
  stage.softbox([-4.5, 2.8, 1.6], [0, 0, 0], 1.8, 2.4, scale(hex('#ffc48a'), 13), false)
  stage.softbox([4, 3, -2.6], [0, 0, 0], 2.6, 1.2, scale(hex('#8fb0ff'), 3), false)
  stage.sky = gradientSky([0.01, 0.01, 0.012], [0.03, 0.026, 0.03], [0.03, 0.03, 0.04], 1)
  stage.camera = { from: [3.3, 1.5, 2.9], to: [-0.4, 0.02, 0.05], angle: 31, lens: 0.12, focus: [0.6, 0.2, 0.4] }
  return photograph(stage, size)
}

/** A record that turns under its needle. */
export function vinyl(size: Size): Image {
  const stage = new Stage()
  stage.add(box([8, 0.5, 6.4], 0.12), wood('#6f4a2d', '#3a2415', { size: 0.6, polish: 0.5 }), { at: [0.4, -0.3, 0] })
  const grooves = (x: number, z: number) => Math.hypot(x, z)
  const record: Surface = {
    color: ({ x, z }) => {
      const r = grooves(x, z)
      if (r < 0.06) return [0.4, 0.4, 0.4]
      if (r < 0.78)
        return mix(
          hex('#c9442a'),
          hex('#e9d9b6'),
          smoothstep(0.5, 0.52, r) * (1 - smoothstep(0.56, 0.58, r)) +
            (r < 0.34 && Math.abs(z + 0.02) < 0.03 ? 0.8 : 0),
        )
      return scale([0.012, 0.012, 0.013], 1 + 0.5 * Math.sin(r * 11))
    },
    rough: ({ x, z }) => (grooves(x, z) < 0.78 ? 0.6 : 0.22),
    coat: 1.3,
    relief: (x, _y, z) => {
      const r = grooves(x, z)
      return r < 0.8 ? 0 : 0.0022 * Math.sin(r * 210) * (0.6 + 0.4 * noise(r * 9, 2))
    },
    reliefStep: 0.004,
  }
  stage.add(
    lathe(
      [
        [2.4, 0],
        [2.4, 0.02],
        [2.36, 0.04],
        [1.2, 0.035],
        [0.001, 0.035],
      ],
      160,
      4,
    ),
    record,
    { at: [-0.5, 0.02, 0] },
  )
  stage.add(
    lathe(
      [
        [0.06, 0.03],
        [0.06, 0.14],
        [0.04, 0.18],
        [0.001, 0.19],
      ],
      24,
    ),
    metal('#d8d8d4', 0.15),
    { at: [-0.5, 0, 0] },
  )
  const chrome = metal('#c9c9c6', 0.12)
  stage.add(
    lathe(
      [
        [0.42, 0],
        [0.4, 0.2],
        [0.3, 0.24],
        [0.001, 0.25],
      ].map(([a, b]) => [a, b]) as [number, number][],
      48,
    ),
    metal('#8a8a88', 0.3),
    { at: [2.55, -0.05, -1.7] },
  )
  stage.add(
    tube(
      [
        [2.55, 0.42, -2.3],
        [2.55, 0.42, -1.6],
        [2.4, 0.4, -0.2],
        [1.75, 0.34, 0.75],
      ],
      0.045,
      { parts: 16 },
    ),
    chrome,
  )
  stage.add(box([0.2, 0.12, 0.42], 0.03), matt('#1c1c1e', { rough: 0.3, coat: 1 }), {
    at: [1.66, 0.27, 0.9],
    turned: [0, -40, 0],
  })
  stage.add(sphere(0.05, 14), lamp('#ff5a36', 6), { at: [2.9, 0, 2.3] })
  room(stage, '#ffa45e', '#6f8bff')
  stage.camera = { from: [1.9, 2.3, 4.6], to: [0.5, 0.05, 0.1], angle: 33, lens: 0.1, focus: [1.6, 0.2, 0.9] }
  return photograph(stage, { ...size, paths: 8 })
}

/** A microphone in the light of a small lamp. */
export function microphone(size: Size): Image {
  const stage = new Stage()
  stage.add(ground(30, 2), matt('#231d1d'), { at: [0, -3, 0] })
  const mesh: Surface = {
    color: hex('#b9b3a8'),
    metal: 1,
    rough: 0.32,
    relief: (_x, _y, _z, u, v) => 0.016 * Math.max(Math.sin(u * 240), Math.sin(v * 130)),
    reliefStep: 0.006,
  }
  stage.add(
    deform(sphere(0.8, 90), ([x, y, z]) => [x, y * 1.12, z]),
    mesh,
    { at: [0, 0.9, 0], turned: [14, 0, 0] },
  )
  stage.add(
    lathe(
      [
        [0.82, -0.1],
        [0.87, 0],
        [0.87, 0.12],
        [0.82, 0.2],
      ],
      80,
    ),
    metal('#d9b25f', 0.18),
    { at: [0, 0.85, 0], turned: [14, 0, 0] },
  )
  stage.add(
    lathe(
      [
        [0.4, -2.6],
        [0.46, -1.4],
        [0.66, -0.3],
        [0.78, 0.2],
      ],
      80,
    ),
    matt('#16161a', { rough: 0.3, coat: 1 }),
    { at: [0, 0.55, 0], turned: [14, 0, 0] },
  )
  stage.softbox([-3.2, 2.2, 2.4], [0, 0.6, 0], 1.4, 2.2, scale(hex('#ffb878'), 14), false)
  stage.softbox([3.2, 1.6, -1.6], [0, 0.6, 0], 0.9, 3.4, scale(hex('#5f8dff'), 13), false)
  const chance = random(12)
  for (let bulb = 0; bulb < 60; bulb++)
    stage.add(
      sphere(0.13, 10),
      lamp(['#ffb25e', '#ff6a3c', '#ff4f7a', '#6fa8ff'][chance.whole(0, 3)], chance.between(0.8, 4)),
      { at: [chance.between(-7, 7), chance.between(-3, 5), chance.between(-14, -7)] },
    )
  stage.sky = gradientSky([0.006, 0.006, 0.01], [0.02, 0.014, 0.02], [0.012, 0.012, 0.024], 1)
  stage.camera = { from: [0.4, 0.7, 6.4], to: [0, 0.45, 0], angle: 28, lens: 0.17, focus: [0, 0.9, 0.7] }
  return photograph(stage, { ...size, paths: 16 })
}
