import type { DemoCreator } from '../types.ts'

export const pia: DemoCreator = {
  username: 'pia',
  displayName: 'Pia Sørensen',
  bio: 'Small rendered worlds: soft shapes, honest light, no people.',
  categories: ['Art'],
  standing: { months: 7, fans: 0.45 },
  plans: [
    {
      name: 'Wireframes',
      description: 'The scene files of everything I post, commented, for any renderer.',
      priceCents: 900,
      interval: 'month',
    },
    {
      name: 'Just the wallpapers',
      description: 'One new picture a week for your screens.',
      priceCents: 200,
      interval: 'week',
    },
  ],
  posts: [
    {
      day: 0.6,
      title: 'In balance',
      content: 'The golden ball weighs nothing, and I still held my breath when I put it there. #light #render',
      pictures: ['pia-balance'],
      appeal: 1.4,
      comments: [
        ['chloe', 'The little spring on the left is hiding something.'],
        ['pia', 'It is hiding a light. You have good eyes.'],
        ['greta', 'How do you get the red that soft?'],
      ],
    },
    {
      day: 8.5,
      title: 'The island, day and night',
      content: 'Same house, same trees, two lamps. It turns out that what I like is the hour when somebody comes home.',
      pictures: ['pia-island', 'pia-night'],
      appeal: 1.2,
      comments: [
        ['imani', 'We wrote stories about who lives there. It is a baker, by majority.'],
        ['yara', 'I want to rent it!!'],
      ],
    },
    {
      day: 23,
      title: 'A study in glass',
      content:
        'Ten bounces of light, three hours of waiting, one mistake in the floor that I kept. Scene file attached, with the mistake marked.',
      audience: 'Wireframes',
      pictures: ['pia-glass'],
      comments: [['ravi', 'Eleven bounces change nothing. I checked, so that you need not.']],
    },
    {
      day: 42,
      title: 'Make a corner of your own',
      content: 'A starter scene: a floor, a lamp, one ball. Move the lamp. That is the course.',
      audience: 400,
      comments: [['mateo', 'moved the lamp. understood cinema']],
    },
    {
      day: 65,
      content: 'I delete one shape from every scene before I render it. It is always the one I worked on longest.',
      comments: [
        ['zofia', 'Translators do the same with adjectives.'],
        ['sam', 'This is the most painful sentence I have read this week.'],
      ],
    },
  ],
}
