import { type Mesh, type Placement, place } from '../shapes/mesh.ts'
import { cross, length, normalize, rotation, scale, subtract, type Vector } from './vector.ts'

/** Where a surface is looked at: in the thing's own space (x, y, z), on its grid (u, v), and how much it faces up. */
export type Spot = { x: number; y: number; z: number; u: number; v: number; up: number }

/** What a surface is made of. Lengths are those of the thing's own space. */
export type Surface = {
  readonly color: Vector | ((spot: Spot) => Vector)
  /** 0 is a mirror, 1 has no highlight. */
  readonly rough?: number | ((spot: Spot) => number)
  readonly metal?: number
  /** How strong the clear layer on top reflects: 1 as glass, 0 not at all. */
  readonly coat?: number
  readonly glow?: Vector | ((spot: Spot) => Vector)
  /** The index of refraction: light goes through. */
  readonly glass?: number
  /** How far light creeps around into the shade, as in skin, wax, and bread. */
  readonly soft?: number
  /** The bright rim of velvet and wool. */
  readonly sheen?: number
  /** Small hills and valleys: their height. */
  readonly relief?: (x: number, y: number, z: number, u: number, v: number) => number
  /** How far apart the relief is probed. */
  readonly reliefStep?: number
}

/** A bright rectangle, from its middle to the middles of two edges. */
export type Light = {
  readonly at: Vector
  readonly right: Vector
  readonly up: Vector
  readonly color: Vector
  readonly hidden?: boolean
}

export type Sun = { readonly from: Vector; readonly color: Vector; readonly spread: number }

export type Camera = {
  readonly from: Vector
  readonly to: Vector
  /** The vertical angle of view, in degrees. */
  readonly angle: number
  readonly focus?: Vector
  /** The radius of the lens: how much is out of focus. */
  readonly lens?: number
  readonly tilt?: number
}

export type Sky = (x: number, y: number, z: number) => Vector

/** Things, lights, and a camera. */
export class Stage {
  readonly parts: {
    readonly mesh: Mesh
    readonly surface: Surface
    readonly matrix: readonly [Vector, Vector, Vector]
  }[] = []
  readonly lights: Light[] = []
  sun: Sun | undefined
  sky: Sky = () => [0, 0, 0]
  camera: Camera = { from: [0, 1, 5], to: [0, 0, 0], angle: 40 }

  add(mesh: Mesh, surface: Surface, placement: Placement = {}): this {
    const { turned = [0, 0, 0] } = placement
    this.parts.push({ mesh: place(mesh, placement), surface, matrix: rotation(turned) })
    return this
  }

  /** A softbox that looks from a place at another. */
  softbox(at: Vector, to: Vector, width: number, height: number, color: Vector, hidden = true): this {
    const facing = normalize(subtract(to, at))
    const right = normalize(cross(facing, Math.abs(facing[1]) > 0.95 ? [0, 0, 1] : [0, 1, 0]))
    const up = cross(right, facing)
    this.lights.push({ at, right: scale(right, width / 2), up: scale(up, height / 2), color, hidden })
    return this
  }
}

/** A sky from the ground's color over the horizon's to the zenith's. */
export const gradientSky =
  (ground: Vector, horizon: Vector, zenith: Vector, brightness = 1): Sky =>
  (_x, y) => {
    const [to, share] = y < 0 ? [ground, Math.min(-y * 3, 1)] : [zenith, y ** 0.6]
    return [0, 1, 2].map(
      (axis) => (horizon[axis] + (to[axis] - horizon[axis]) * share) * brightness,
    ) as unknown as Vector
  }

export const facingOf = ({ from, to }: Camera) => {
  const forward = normalize(subtract(to, from))
  const right = normalize(cross(forward, [0, 1, 0]))
  return { forward, right, up: cross(right, forward), distance: length(subtract(to, from)) }
}
