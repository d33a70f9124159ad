import { gradientSky, type Stage } from '../render/stage.ts'
import { hex, scale, type Vector } from '../render/vector.ts'

/** A window on one side, its light reflected by a pale room. */
export function windowLight(
  stage: Stage,
  {
    from = [-4, 3.2, 1.5] as Vector,
    to = [0, 0, 0] as Vector,
    size = 3,
    power = 9,
    color = '#fff4e6',
    room = 0.28,
    tint = '#e8e2d8',
  } = {},
): void {
  stage.softbox(from, to, size, size * 1.25, scale(hex(color), power))
  const gray = hex(tint)
  stage.sky = gradientSky(scale(gray, 0.25), scale(gray, 0.7), gray, room)
}

/** Low sun through a window, and the blue of the sky in the shade. */
export function sunlight(
  stage: Stage,
  {
    from = [-1, 0.75, 0.6] as Vector,
    color = '#ffe1b4',
    power = 3,
    spread = 0.03,
    sky = '#9dbbe6',
    room = 0.5,
    ground = '#b9a184',
  } = {},
): void {
  stage.sun = { from, color: scale(hex(color), power), spread }
  stage.sky = gradientSky(scale(hex(ground), 0.5), scale(hex(sky), 0.9), hex(sky), room)
}
