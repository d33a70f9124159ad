/** The password of every demo user. The demo never runs in production. */
export const demoPassword = 'ovation-demo'

export const demoAdmin = { username: 'robin', displayName: 'Robin Adeyemi' } as const

/** The fans whose logins are printed. They subscribe on the checkout page at the first start. */
export const demoFans = [
  {
    username: 'lena',
    displayName: 'Lena Vogt',
    follows: ['mara', 'tomas', 'ines', 'aiko', 'dario'],
    subscribes: ['mara'],
    /** The title of a product. */
    buys: 'Salt and Fog, the zine',
  },
  { username: 'sam', displayName: 'Sam Osei', follows: ['mara', 'juno', 'bea', 'pia', 'nadia'], subscribes: [] },
] as const

/** Fans with a voice: each writes comments in a way of their own. */
export const demoVoices = [
  { username: 'theo', displayName: 'Theo Marsh', bio: 'Retired teacher. I look things up.' },
  { username: 'yara', displayName: 'Yara Nunes', bio: 'Too many hobbies!! No regrets!!' },
  { username: 'kofi', displayName: 'Kofi Mensah', bio: 'Here for the failures.' },
  { username: 'greta', displayName: 'Greta Holm', bio: 'I make things and ask how you made yours.' },
  { username: 'ravi', displayName: 'Ravi Menon', bio: 'Engineer. I measured it.' },
  { username: 'chloe', displayName: 'Chloé Dubois', bio: 'Few words.' },
  { username: 'mateo', displayName: 'Mateo Silva', bio: 'lower case, high spirits' },
  { username: 'hana', displayName: 'Hana Kimura', bio: 'Mostly listening.' },
  { username: 'owen', displayName: 'Owen Clarke', bio: 'Skeptic, easily convinced.' },
  { username: 'zofia', displayName: 'Zofia Nowak', bio: 'Translator. Words for a living, pictures for rest.' },
  { username: 'imani', displayName: 'Imani Abara', bio: 'Primary school teacher. The children say hello.' },
  { username: 'jonas', displayName: 'Jonas Weber', bio: 'Nurse, night shift.' },
] as const

/** Fans who pay and like, and rarely say anything. */
export const demoCrowd = [
  'Alma Ruiz',
  'Bodil Andersen',
  'Carla Mendes',
  'Dev Kapoor',
  'Elif Demir',
  'Femke Walsh',
  'Gia Romano',
  'Hugo Lefevre',
  'Ida Nyberg',
  'Jack Turner',
  'Kenji Mori',
  'Lucia Ferrari',
  'Milo Novak',
  'Nia Okoye',
  'Oskar Lund',
  'Paula Gomez',
  'Quinn Avery',
  'Rosa Martin',
  'Samir Ilic',
  'Tara Singh',
  'Ugo Bianchi',
  'Violeta Popescu',
  'Wen Li',
  'Zara Malik',
].map((displayName) => ({ username: (displayName.split(' ')[0] ?? '').toLowerCase(), displayName }))

/** Waits for the admin's decision on an application. */
export const demoApplicant = { username: 'leo', displayName: 'Leo Fischer' } as const
