/** The styles that the rules can propose. */

export interface StyleIdea {
  readonly name: string;
  readonly description: string;
  /** A sentence in which "it" is the subject of the prompt. */
  readonly why: string;
  /** Follows the prompt. */
  readonly phrase: string;
  /** Names of scenes, places, times, weather, moods and things that the style suits. */
  readonly suits: readonly string[];
}

const list = `
Watercolor | garden meadow lake river village sea ground dawn fog rain pastel clear | Transparent washes that pool and bleed on rough paper. | Leaves room and light around it. | transparent watercolor washes with soft bleeding edges on rough paper
Oil painting | table sea mountains storm golden sunset room dark | Thick, directional brushwork with warm darks. | Gives it weight and depth. | rich oil paint with visible directional brushwork and warm shadows
Ukiyo-e | fuji sea mountains winter snow rain water wind dragon japanese-castle | Flat woodblock bands with fine outlines. | Turns it into clear, rhythmic shapes. | an ukiyo-e woodblock print with flat graded bands and fine outlines
Cinematic | city road night dusk rain desert fog golden robot astronaut | A graded film frame with shallow focus. | Tells a story around it. | a cinematic film still with shallow focus and a graded teal and amber palette
Storybook | forest village fox bear cat rabbit castle dragon dawn snow garden warm | Inked outlines over warm, gently textured colour. | Makes it friendly and easy to read. | a warm storybook illustration with inked outlines and gentle paper texture
Neon noir | city neon night rain robot road space automobile | Glowing outlines against near black. | Lets it glow out of the dark. | neon light in magenta and cyan against near black, wet reflections
Paper cut | mountains forest sky moon stars underwater deep aurora winter abstract | Layers of cut paper with soft drop shadows. | Stacks it in clear layers of depth. | layers of cut paper with gentle drop shadows between them
Linocut | table forest ground mono bird owl village storm | Bold carved shapes in few inks. | Reduces it to a strong silhouette. | a bold two-colour linocut with carved hatching and hand-printed ink
Impressionist | garden lake meadow river sea day golden clouds water sailboat vivid | Broken dabs of pure colour that mix in the eye. | Dissolves it into light and air. | impressionist dabs of broken colour and shimmering light
Low poly | desert mountains ground abstract vivid day clear | Faceted planes, each lit by itself. | Builds it from crisp facets. | faceted low-poly planes with clean directional shading
Ink wash | fog mountains fuji bird mono muted winter river overcast | Diluted black ink on absorbent paper. | Says much about it with few strokes. | a sumi ink wash with few strokes and wide empty paper
Dreamscape | space sky moonscape aurora stars moon shooting clouds pastel dusk underwater | Soft focus and pearly, drifting light. | Wraps it in a quiet glow. | a dreamlike scene in soft focus with pearly, drifting light
Pop art | table vivid abstract person woman man automobile telephone | Halftone dots, thick outlines and loud colour. | Makes it loud and iconic. | pop art with halftone dots, thick black outlines and loud flat colour
Graphite | room table person mono dark castle horse village | Careful hatching and fine contours. | Studies every contour of it. | careful graphite hatching with fine contours on white paper
Art deco poster | city sea mountains road ship locomotive sun sunset palm-tree | Stepped shapes, long curves and a limited palette. | Sets it as the hero of a travel poster. | an art deco poster with stepped geometric shapes and a limited palette
Macro photograph | garden table butterfly honeybee snail rose lady-beetle mushroom deep coral | Close, sharp detail before a soft background. | Brings the eye very close to it. | a macro photograph with crisp detail before a softly blurred background
`;

export const styles: readonly StyleIdea[] = list
  .trim()
  .split('\n')
  .map((line) => {
    const [name = '', suits = '', description = '', why = '', phrase = ''] = line.split(' | ');
    return { name, description, why, phrase, suits: suits.split(' ') };
  });
