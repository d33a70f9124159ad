/** The callers. Each is a user of the matrix's fixture (fixture/people.ts), except the visitor, the ghost, and the service. */
export const personas = {
  visitor: 'nobody signed in: the role anon',
  ghost: 'signed in with an account that has no profile (any more)',
  stranger: 'signed in, and party to nothing but an invitation of the creator and a refused application',
  subscriber: "pays for the creator's higher plan and for the recluse's plan, and so follows both",
  lower: "pays for the creator's lower plan, while the creator has tiered_access on, and so follows them",
  lapsed: "once paid for the creator's retired plan; that time is over",
  buyer: 'bought one pay-per-view post of the creator and one of the recluse',
  blocked: 'the creator has blocked this person',
  applicant: 'wants to be a creator, and has prepared a plan; the application is pending',
  creator: 'approved, with an account that takes charges, two active plans and a retired one: the owner of most rows',
  rival: 'another approved creator',
  recluse: 'an approved creator with a private profile',
  admin: 'has the role admin in user_roles',
  suspended:
    'had an account like the stranger, a file, an application, and is kept out by an admin: nobody, with a name',
  service: 'the server itself: service_role',
} as const

export type Persona = keyof typeof personas
export const everyPersona = Object.keys(personas) as readonly Persona[]

/** The database role that a persona's requests run as. */
export function roleOf(persona: Persona): 'anon' | 'authenticated' | 'service_role' {
  if (persona === 'visitor') return 'anon'
  return persona === 'service' ? 'service_role' : 'authenticated'
}
