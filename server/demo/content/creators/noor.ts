import type { DemoCreator } from '../types.ts'

/** New here: no plans yet, so that there is a creator who has not set up payouts. */
export const noor: DemoCreator = {
  username: 'noor',
  displayName: 'Noor Haddad',
  bio: 'Arches, stairs, courtyards. A city a month, on foot.',
  categories: ['Travel', 'Photography'],
  standing: { months: 3, fans: 0 },
  plans: [],
  posts: [
    {
      day: 2.5,
      title: 'Five arches before noon',
      content:
        'The guard let me stay after closing because I asked about the tiles first. Always ask about the tiles first.',
      pictures: ['noor-courtyard', 'noor-passage'],
      appeal: 1.4,
      comments: [
        ['hana', 'What did he say about the tiles?'],
        [
          'noor',
          'That his grandfather laid the third row, and that it is not straight, and that nobody may ever fix it.',
        ],
        ['mateo', 'third row forever'],
      ],
    },
    {
      day: 16,
      title: 'A hundred and eleven steps',
      content: 'I counted them going up. Going down I only counted cats. #stairs #walking',
      pictures: ['noor-stairs'],
      comments: [
        ['kofi', 'And? The cats?'],
        ['noor', 'Nine. Ten, if you count the one that was a bag.'],
      ],
    },
    {
      day: 37,
      title: 'Seven in the evening',
      content:
        'There is a minute when every wall is the same color as the bread. Be on a roof by then. #light #walking',
      pictures: ['noor-roofs'],
      comments: [['jonas', 'I work when it is that color. Thank you for keeping it.']],
    },
    {
      day: 61,
      content: 'First post. I walk, I look up, I write down who built it. Tell me where to go next.',
      comments: [
        ['chloe', 'Lyon. The stairs inside the houses.'],
        ['ravi', 'Stepwells. All of Gujarat. Bring knees.'],
      ],
    },
  ],
}
