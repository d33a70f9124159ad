import type { DemoCreator } from '../types.ts'

export const bea: DemoCreator = {
  username: 'bea',
  displayName: 'Béa Laurent',
  bio: 'Cloth, cut, and color. I sew in public.',
  categories: ['Fashion', 'Art'],
  standing: { months: 8, fans: 0.4 },
  plans: [
    { name: 'The cutting room', description: 'Patterns, fittings, failures.', priceCents: 9900, interval: 'year' },
    {
      name: 'Measure twice',
      description: 'The cutting room by the month, and your questions answered on Fridays.',
      priceCents: 1400,
      interval: 'month',
    },
  ],
  posts: [
    {
      day: 1.5,
      title: 'Eleven yards of wool',
      content: 'It arrived on a roll taller than me. Here is how it falls, before anyone cuts into it.',
      pictures: ['bea-wool', 'bea-silk', 'bea-stack'],
      appeal: 1.3,
      comments: [
        ['chloe', 'I would like to live in the second fold from the left.'],
        ['zofia', 'Please tell me it becomes a coat.'],
        ['bea', 'It becomes a coat, or it becomes a lesson.'],
      ],
    },
    {
      day: 8,
      title: 'The skirt, half made',
      content:
        'Pleats are arithmetic that you can wear. Thirteen of them, and how I got to thirteen after starting with twenty. Pattern attached for sizes 34 to 52.',
      audience: 'The cutting room',
      pictures: ['bea-form'],
      comments: [['greta', 'Thirteen! I cut for twelve and have been arguing with it since Sunday.']],
    },
    {
      day: 26,
      title: 'Forty-two reels',
      content: 'I sorted them by color, then by weight, then by how much I trust them.',
      pictures: ['bea-spools'],
      comments: [
        ['theo', 'A very sound system of classification.'],
        ['kofi', 'Put me next to the mustard. I have been let down by navy.'],
      ],
    },
    {
      day: 44,
      title: 'A shirt in one weekend',
      content:
        'Saturday: everything that is straight. Sunday: everything that is not. The collar gets an evening and a glass.',
      audience: 1200,
      comments: [['yara', 'The collar got two glasses and is perfect!!']],
    },
    {
      day: 66,
      title: 'Washed, and on the line',
      content: 'Wash the cloth before you cut it. I know. Wash it anyway.',
      pictures: ['bea-line'],
      comments: [['imani', 'I did not wash it. I have a very small shirt now.']],
    },
  ],
}
