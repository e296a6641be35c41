/** The things that the illustrator can draw: names of icons, with their place and size. */
import { phraseTable } from '../../language/phrases.ts';

export type Place = 'ground' | 'sky' | 'water' | 'deep' | 'table';

export interface Thing {
  readonly name: string;
  readonly place: Place;
  /** Visual size: 1 is a person or a dog near the viewer. */
  readonly size: number;
}

/** Lines of place, size and names. */
const list = phraseTable(`
  ground 0.5: ant, beetle, bug, cricket, lady-beetle, snail, spider, scorpion, worm, frog, mouse, baby-chick,
    hatching-chick, mushroom, brown-mushroom, seedling, lizard, four-leaf-clover, shamrock
  ground 0.68: badger, beaver, black-cat, cat, chipmunk, duck, goose, hedgehog, otter, owl, parrot, penguin, rabbit,
    raccoon, rooster, skunk, snake, turtle, hamster, dodo, rat, poodle, turkey, tulip, rose, sunflower, hyacinth,
    blossom, hibiscus, bouquet, potted-plant, crab, cactus, rock, red-paper-lantern, koala, monkey, peacock, sloth,
    soccer-ball, basketball, teddy-bear, jack-o-lantern, treasure-chest, nest-with-eggs, fire, cherry-blossom, lotus,
    white-flower
  ground 0.95: dog, guide-dog, service-dog, fox, wolf, goat, ewe, ram, pig, boar, kangaroo, leopard, flamingo, deer,
    llama, donkey, seal, panda, bicycle, kick-scooter, skateboard, snowman, motor-scooter, motorcycle, chair, moai,
    crocodile, harp, drum, bear, polar-bear, lion, tiger, gorilla, orangutan
  ground 1.05: person, man, woman, boy, girl, child, ballet-dancer, man-dancing, woman-dancing, man-walking,
    woman-walking, man-running, woman-running, person-in-lotus-position, person-biking, horse-racing, skier,
    snowboarder, astronaut, robot, wizard, princess, prince, king, queen, knight, farmer, artist, ninja, old-man,
    old-woman, santa-claus, troll, witch, people-holding-hands, singer, vampire, zombie, elf, superhero, supervillain
  ground 1.2: horse, cow, ox, camel, two-hump-camel, zebra, moose, bison, water-buffalo, rhinoceros, hippopotamus,
    unicorn, carousel-horse, phoenix, tent, fountain, automobile, taxi, police-car, racing-car,
    sport-utility-vehicle, pickup-truck, auto-rickshaw, tractor
  ground 1.5: elephant, giraffe, mammoth, sauropod, t-rex, dragon, hut, house, house-with-garden, houses,
    derelict-house, ambulance, bus, minibus, delivery-truck, fire-engine, articulated-lorry, trolleybus, tram-car,
    locomotive, railway-car, deciduous-tree, evergreen-tree, palm-tree, leafless-tree, christmas-tree, shinto-shrine,
    statue-of-liberty
  ground 2: castle, japanese-castle, church, mosque, hindu-temple, synagogue, classical-building, ferris-wheel,
    circus-tent, lighthouse, tokyo-tower, factory, school, hospital, hotel, post-office, stadium, roller-coaster,
    building-construction, office-building, bank, windmill
  sky 0.4: butterfly, monarch-butterfly, honeybee, fairy, kite, mosquito, balloon
  sky 0.6: bird, black-bird, dove, eagle, bat, airplane, small-airplane, helicopter, parachute, flying-saucer,
    rocket, satellite, ringed-planet, globe-showing-europe-africa, hot-air-balloon, airship
  water 0.7: swan
  water 1.1: canoe, sailboat, speedboat, motor-boat, person-rowing-boat, man-surfing, woman-surfing, person-surfing,
    dolphin
  water 1.6: ship, passenger-ship, ferry, whale, spouting-whale, desert-island
  deep 0.6: fish, tropical-fish, blowfish, shrimp, lobster, squid, jellyfish, octopus, coral, spiral-shell, oyster
  deep 1.1: shark, orca, mermaid, merman
  table 0.8: avocado, banana, grapes, melon, watermelon, tangerine, lemon, lime, pineapple, mango, red-apple,
    green-apple, pear, peach, cherries, strawberry, blueberries, kiwi-fruit, tomato, olive, coconut, eggplant,
    potato, carrot, ear-of-corn, hot-pepper, bell-pepper, cucumber, broccoli, garlic, onion, bread, croissant,
    baguette-bread, pretzel, bagel, pancakes, waffle, cheese-wedge, meat-on-bone, poultry-leg, bacon, hamburger,
    french-fries, pizza, hot-dog, sandwich, taco, burrito, egg, cooking, shallow-pan-of-food, pot-of-food,
    green-salad, popcorn, butter, bento-box, rice-ball, cooked-rice, curry-rice, steaming-bowl, spaghetti, sushi,
    fried-shrimp, moon-cake, dango, dumpling, soft-ice-cream, shaved-ice, ice-cream, doughnut, cookie, birthday-cake,
    shortcake, cupcake, pie, chocolate-bar, candy, lollipop, honey-pot, glass-of-milk, hot-beverage, teapot,
    teacup-without-handle, sake, bottle-with-popping-cork, wine-glass, cocktail-glass, tropical-drink, beer-mug,
    clinking-glasses, bubble-tea
  table 1.7: fruit-bowl, vase
  table 0.8: accordion, alarm-clock, amphora, axe, backpack, balance-scale, ballet-shoes, banjo, basket, bell, books,
    boomerang, camera, candle, compass, crown, crystal-ball, crossed-swords, dagger, diya-lamp, feather, flute,
    fountain-pen, gear, gem-stone, glasses, guitar, hammer, headphone, high-heeled-shoe, hourglass-done, key, kimono,
    laptop, light-bulb, magnet, mantelpiece-clock, maple-leaf, microphone, microscope, mobile-phone,
    musical-keyboard, old-key, open-book, paintbrush, pencil, radio, ring, running-shoe, saxophone, scissors, scroll,
    shield, sunglasses, telephone, telescope, television, top-hat, trophy, trumpet, umbrella, violin, watch,
    wrapped-gift, yarn, game-die, chess-pawn, artist-palette, world-map, bow-and-arrow, anchor, hiking-boot,
    womans-hat, magic-wand, nesting-dolls, joystick, puzzle-piece, film-projector, long-drum, maracas, toolbox,
    chestnut, peanuts
`);

export const things: ReadonlyMap<string, Thing> = new Map(
  list.map(([name, kind]) => {
    const [place = '', size = ''] = kind.split(' ');
    return [name, { name, place: place as Place, size: Number(size) }] as const;
  }),
);
