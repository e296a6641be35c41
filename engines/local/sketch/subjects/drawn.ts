/** Drawings of our own, for things the icon set lacks or shows only in part. */
import { robed, sitting, standing, type Drawing } from './figures.ts';

const balloon = (a: string, b: string, c: string): Drawing => ({
  width: 128,
  height: 190,
  body: `<path d="M64 2C28 2 4 28 4 62c0 36 34 62 46 84h28c12-22 46-48 46-84C124 28 100 2 64 2z" fill="${a}"/>
<path d="M64 2C46 2 34 28 34 62c0 36 16 62 22 84h16c6-22 22-48 22-84C94 28 82 2 64 2z" fill="${b}"/>
<path d="M64 2c-7 0-12 28-12 60s6 62 9 84h6c3-22 9-52 9-84S71 2 64 2z" fill="${c}"/>
<path d="M8 80c34 14 78 14 112 0-3 8-7 15-12 22-28 9-60 9-88 0-5-7-9-14-12-22z" fill="${c}" fill-opacity=".85"/>
<path d="M51 146l4 22M77 146l-4 22" stroke="#4a3524" stroke-width="2"/><path d="M50 166h28l-3 22H53z" fill="#8a5a2c"/><path d="M50 166h28v5H50z" fill="#5f3c1c"/>`,
});

const windmill: Drawing = {
  width: 150,
  height: 200,
  body: `<path d="M55 80h40l14 118H41z" fill="#e9dcc3"/><path d="M82 80h13l14 118H88z" fill="#c2ab88"/><path d="M50 82c4-22 46-22 50 0z" fill="#8c4a33"/>
<path d="M68 198v-26a8 8 0 0 1 16 0v26z" fill="#5c3a22"/><rect x="69" y="112" width="11" height="14" fill="#4b6274"/>
<g transform="rotate(18 75 74)" fill="#f7f1e2" stroke="#6a4a2e" stroke-width="2.4"><path d="M75 74V4h17v54z"/><path d="M75 74h70v17H91z"/><path d="M75 74v70H58V90z"/><path d="M75 74H5V57h54z"/></g><circle cx="75" cy="74" r="5" fill="#4a321e"/>`,
};

const lighthouse: Drawing = {
  width: 120,
  height: 220,
  body: `<defs><linearGradient id="l" x1="0" x2="1"><stop offset="0" stop-color="#000" stop-opacity="0"/><stop offset=".55" stop-color="#000" stop-opacity=".05"/><stop offset="1" stop-color="#000" stop-opacity=".38"/></linearGradient></defs>
<path d="M4 220c4-18 18-24 30-26h54c14 2 26 10 28 26z" fill="#6e665e"/><path d="M4 220c6-12 20-14 34-12 10-8 24-6 34 0 16-6 36-2 44 12z" fill="#544d47"/>
<path d="M42 62h36l12 140H30z" fill="#f2ede2"/><path d="M39.500 92h41l3 34h-47zM35 150h50l3.500 36h-57z" fill="#c63a2e"/><path d="M42 62h36l12 140H30z" fill="url(#l)"/>
<path d="M34 56h52v8H34z" fill="#3a3f47"/><path d="M36 46h4v12h-4zM80 46h4v12h-4zM34 45h52v3H34z" fill="#3a3f47"/><path d="M46 28h28v28H46z" fill="#ffe28a"/><path d="M46 28h3v28h-3zM59 28h3v28h-3zM71 28h3v28h-3z" fill="#3a3f47"/><circle cx="60" cy="42" r="8" fill="#fffbe0"/><path d="M42 29c4-14 32-14 36 0z" fill="#a32b23"/><path d="M58 6h4v12h-4z" fill="#3a3f47"/>
<path d="M54 202v-16a6 6 0 0 1 12 0v16z" fill="#4a3a30"/><path d="M56 76h8v10h-8zM56 132h8v10h-8z" fill="#3d4a5a"/>`,
};

const astronaut: Drawing = {
  width: 130,
  height: 200,
  body: `<rect x="28" y="66" width="74" height="72" rx="14" fill="#9aa3ae"/><path d="M40 120c-4 26-6 48-4 70h26l4-54 4 54h26c2-22 0-44-4-70z" fill="#e8ebee"/>
<path d="M34 182h30v14H30c-2-6 0-12 4-14zM68 182h30c4 2 6 8 4 14H68z" fill="#7c8794"/>
<path d="M36 76c-16 10-24 34-28 58l18 6c4-16 10-28 18-36zM94 76c16 10 24 34 28 58l-18 6c-4-16-10-28-18-36z" fill="#dfe3e7"/><circle cx="17" cy="140" r="10" fill="#7c8794"/><circle cx="113" cy="140" r="10" fill="#7c8794"/>
<path d="M36 74c18-8 40-8 58 0 4 20 4 42 0 64H36c-4-22-4-44 0-64z" fill="#f3f5f6"/><path d="M80 70c6 1 10 2 14 4 4 20 4 42 0 64H80c4-24 4-46 0-68z" fill="#c9d0d7"/>
<rect x="48" y="92" width="34" height="22" rx="3" fill="#5e6b7a"/><circle cx="56" cy="100" r="3" fill="#f25b4a"/><circle cx="66" cy="100" r="3" fill="#ffd35a"/><path d="M54 108h22" stroke="#8fe0ff" stroke-width="3"/><path d="M36 126h58v6H36z" fill="#e2632f"/>
<circle cx="65" cy="40" r="37" fill="#f3f5f6"/><path d="M92 16a37 37 0 0 1-14 58c10-16 16-40 14-58z" fill="#c9d0d7"/><ellipse cx="65" cy="42" rx="28" ry="24" fill="#1d2c44"/><path d="M42 36c6-14 22-18 34-13-14 0-26 6-34 13z" fill="#8fb9e6"/><path d="M88 46c-3 10-10 16-20 18 9-4 15-10 20-18z" fill="#d89a4a"/>`,
};

const knight: Drawing = {
  width: 140,
  height: 220,
  body: `<path d="M24 70C10 130 10 180 18 206l30-6 44 0 30 6c6-40 0-90-14-136z" fill="#8e2230"/><path d="M44 130l-4 76h24l4-60 4 60h24l-4-76z" fill="#8d98a6"/><path d="M36 202h30v14H32zM72 202h30l4 14H72z" fill="#5d6773"/>
<path d="M38 72c18-10 42-10 60 0 6 26 2 50-4 66H42c-6-16-10-40-4-66z" fill="#b9c3ce"/><path d="M68 66c10 0 22 2 30 6 6 26 2 50-4 66H68z" fill="#97a3b1"/><path d="M36 74c-14 6-20 30-22 54l14 4c4-18 8-30 16-40zM100 74c14 6 20 30 22 54l-14 4c-4-18-8-30-16-40z" fill="#a4afbb"/>
<path d="M44 30c0-36 48-36 48 0v38c-14 8-34 8-48 0z" fill="#c3ccd6"/><path d="M70 4c14 0 22 10 22 26v38c-6 3-14 5-22 5z" fill="#9ca8b5"/><path d="M42 38h52v9H42z" fill="#20262e"/><path d="M66 46h5v24h-5z" fill="#6d7884"/><path d="M68 6c10-10 30-4 34 16-12-8-22-8-34-8z" fill="#c22f3c"/>
<path d="M118 128l3-112 5-12 5 12 1 112z" fill="#d8e0e8"/><path d="M110 124h30v7h-30zM121 130h8v18h-8z" fill="#7a5a2a"/><path d="M4 106c14-6 26-6 40 0 2 30-6 46-20 56C10 152 2 136 4 106z" fill="#24478c"/><path d="M20 104h8v56l-4 2-4-3z" fill="#e9c75a"/><path d="M5 120h38v8H5z" fill="#e9c75a"/>`,
};

const robot: Drawing = {
  width: 130,
  height: 200,
  body: `<path d="M40 140h18v40H40zM72 140h18v40H72z" fill="#6d7b8a"/><path d="M32 178h32v18H28c0-10 0-14 4-18zM66 178h32c4 4 4 8 4 18H66z" fill="#4a5664"/><path d="M12 86h16v46H12zM102 86h16v46h-16z" fill="#8593a2"/><path d="M8 132h24l-3 16h-6v-8h-6v8h-6zM98 132h24l-3 16h-6v-8h-6v8h-6z" fill="#4a5664"/>
<rect x="26" y="78" width="78" height="66" rx="12" fill="#a9b6c3"/><path d="M86 78h6a12 12 0 0 1 12 12v42a12 12 0 0 1-12 12h-6z" fill="#8492a1"/><rect x="42" y="92" width="46" height="30" rx="5" fill="#233142"/><path d="M46 108h9l4-9 6 18 5-12 3 3h11" stroke="#5df2c0" stroke-width="3" fill="none"/><circle cx="48" cy="132" r="4" fill="#f2644b"/><circle cx="61" cy="132" r="4" fill="#f6c945"/>
<path d="M56 66h18v14H56z" fill="#5d6977"/><rect x="24" y="20" width="82" height="50" rx="16" fill="#c2ccd6"/><path d="M88 20h2a16 16 0 0 1 16 16v18a16 16 0 0 1-16 16h-2z" fill="#9aa7b4"/><rect x="34" y="32" width="62" height="26" rx="13" fill="#1d2a39"/><circle cx="51" cy="45" r="8" fill="#62e6ff"/><circle cx="79" cy="45" r="8" fill="#62e6ff"/><circle cx="53" cy="43" r="3" fill="#fff"/><circle cx="81" cy="43" r="3" fill="#fff"/><path d="M63 6h4v16h-4z" fill="#5d6977"/><circle cx="65" cy="6" r="6" fill="#f2644b"/>`,
};

const fruitBowl: Drawing = {
  width: 220,
  height: 150,
  body: `<defs><radialGradient id="ra" cx=".35" cy=".3" r=".8"><stop offset="0" stop-color="#f4664d"/><stop offset="1" stop-color="#8f1420"/></radialGradient><radialGradient id="rb" cx=".35" cy=".3" r=".8"><stop offset="0" stop-color="#ffc35a"/><stop offset="1" stop-color="#d26a0c"/></radialGradient><radialGradient id="rc" cx=".35" cy=".3" r=".8"><stop offset="0" stop-color="#9a7fd0"/><stop offset="1" stop-color="#38204f"/></radialGradient><radialGradient id="rd" cx=".4" cy=".3" r=".8"><stop offset="0" stop-color="#e5e86a"/><stop offset="1" stop-color="#86992a"/></radialGradient><linearGradient id="re" x1="0" x2="1"><stop offset="0" stop-color="#dfe8ee"/><stop offset=".5" stop-color="#7fa3bd"/><stop offset="1" stop-color="#35546f"/></linearGradient></defs>
<path d="M60 58C40 30 62 4 82 6c-6 10 4 26 22 44z" fill="#f3cf3f"/><path d="M70 58C56 36 66 14 82 6c-2 14 8 30 24 44z" fill="#d9a827"/>
<circle cx="66" cy="66" r="26" fill="url(#ra)"/><path d="M66 42c2-8 6-12 10-14" stroke="#5a3a1c" stroke-width="3" fill="none"/><circle cx="150" cy="66" r="27" fill="url(#rb)"/><path d="M110 26c12 0 14 12 16 24 4 18-4 34-18 34S86 68 92 50c4-12 8-24 18-24z" fill="url(#rd)"/><path d="M110 27c0-8 3-13 7-16" stroke="#5a3a1c" stroke-width="3" fill="none"/>
<g fill="url(#rc)"><circle cx="178" cy="64" r="10"/><circle cx="190" cy="74" r="10"/><circle cx="176" cy="80" r="10"/><circle cx="192" cy="92" r="10"/><circle cx="200" cy="82" r="9"/><circle cx="186" cy="104" r="9"/></g><circle cx="110" cy="76" r="22" fill="url(#ra)"/>
<path d="M20 76h180c-2 36-34 62-90 62S22 112 20 76z" fill="url(#re)"/><ellipse cx="110" cy="77" rx="90" ry="7" fill="#c8d8e2" fill-opacity=".75"/><path d="M78 136h64l8 12H70z" fill="url(#re)"/><g fill="url(#rc)"><circle cx="182" cy="86" r="10"/><circle cx="190" cy="98" r="9"/></g><path d="M34 92c30 10 120 10 152 0" stroke="#24486a" stroke-opacity=".6" stroke-width="5" fill="none"/>`,
};

const vase: Drawing = {
  width: 90,
  height: 130,
  body: `<defs><linearGradient id="v" x1="0" x2="1"><stop offset="0" stop-color="#f3f6f8"/><stop offset=".45" stop-color="#b9cfdf"/><stop offset="1" stop-color="#486b8e"/></linearGradient></defs><path d="M30 4h30c-2 18 0 26 12 40 16 20 8 62-8 84H26C10 106 2 64 18 44 30 30 32 22 30 4z" fill="url(#v)"/><path d="M10 66c24 10 46 10 70 0M16 96c20 8 38 8 58 0" stroke="#244f86" stroke-width="4" fill="none"/><ellipse cx="45" cy="5" rx="16" ry="4" fill="#7d97ad"/>`,
};

const airship: Drawing = {
  width: 220,
  height: 110,
  body: `<path d="M188 46l30-28v60z" fill="#9c4a34"/><ellipse cx="104" cy="46" rx="102" ry="40" fill="#d9a25c"/><path d="M4 52c30 46 170 46 200-2-8 52-190 52-200 2z" fill="#9c6a34"/><path d="M10 34c50-14 140-14 188 0M4 50c60 10 140 10 200-2" stroke="#7d4f24" stroke-width="2.5" fill="none"/><path d="M70 86h70l-10 20H80z" fill="#6b4425"/><path d="M84 90h10v7H84zM100 90h10v7h-10zM116 90h10v7h-10z" fill="#ffe2a0"/>`,
};

const unicornFur = '#efe9f4';

/** By the name of the thing. */
export const drawings: Readonly<Record<string, () => Drawing>> = {
  fox: () => sitting('fox', '#e8702a', '#fbeede', '#5a2f20', 'bushy'),
  wolf: () => sitting('wolf', '#8e979f', '#dfe3e6', '#565f67', 'bushy'),
  bear: () => sitting('bear', '#7d4f35', '#a77a55', '#4b2d1e', 'none'),
  'polar-bear': () => sitting('polar-bear', '#eef1f2', '#ffffff', '#b6c1c9', 'none'),
  lion: () => sitting('lion', '#e3a94a', '#f2cf87', '#8a5622', 'tuft'),
  panda: () => sitting('panda', '#2f3136', '#f7f7f5', '#18191c', 'none'),
  koala: () => sitting('koala', '#98a3aa', '#e3e7ea', '#5e6970', 'none'),
  hamster: () => sitting('hamster', '#e3a862', '#fbeedd', '#b9793f', 'none'),
  frog: () => sitting('frog', '#6fae3c', '#d7e8a2', '#437a24', 'none'),
  unicorn: () => sitting('unicorn', unicornFur, '#ffffff', '#b9a9d6', 'bushy'),
  wizard: () => robed('mage', '#3d3f8f', '#d9b24a'),
  witch: () => robed('mage', '#2b2436', '#6d4a8a'),
  princess: () => robed('princess', '#d96f9d', '#f6d7e4'),
  queen: () => robed('princess', '#7d2146', '#e2bc58'),
  king: () => robed('prince', '#7a1f2b', '#e2bc58'),
  prince: () => standing('prince', '#2f4f95', '#27304a'),
  elf: () => robed('elf', '#3f7a4a', '#cfa94a'),
  'santa-claus': () => standing('santa-claus', '#c5262f', '#b21f28'),
  farmer: () => standing('farmer', '#5b8f55', '#3e5f96'),
  artist: () => standing('artist', '#6b7480', '#4a4038'),
  ninja: () => standing('ninja', '#24272d', '#1b1d22'),
  'old-man': () => standing('old-man', '#6f6454', '#4a4b52'),
  'old-woman': () => robed('old-woman', '#7c5a78', '#cdb9c8'),
  boy: () => standing('boy', '#3f83bf', '#46505e'),
  girl: () => robed('girl', '#d9735a', '#f4d3b0'),
  child: () => standing('child', '#e0a63c', '#4d6b88'),
  singer: () => standing('singer', '#8f2f5c', '#26222b'),
  vampire: () => robed('vampire', '#22202a', '#8c1a2a'),
  detective: () => standing('detective', '#6e6252', '#3f3b37'),
  scientist: () => robed('scientist', '#eef0f0', '#cfd6da'),
  lighthouse: () => lighthouse,
  astronaut: () => astronaut,
  knight: () => knight,
  robot: () => robot,
  windmill: () => windmill,
  vase: () => vase,
  airship: () => airship,
  'fruit-bowl': () => fruitBowl,
  'hot-air-balloon': () => balloon('#d8442f', '#f2b53c', '#f7ead0'),
};
